import {
  interfaceDialect,
  langsmithDialect,
  revisionPhase,
} from "../../../../provider/control-plane/dialects";
import { revisionStatuses } from "../../../../wire";

test("ends a wait at DEPLOYED and at failures in every dialect", () => {
  for (const dialect of [interfaceDialect, langsmithDialect]) {
    expect(revisionPhase("DEPLOYED", dialect)).toBe("deployed");
    for (const status of ["BUILD_FAILED", "FAILED_LATE"])
      expect(revisionPhase(status, dialect)).toBe("failed");
  }
});

test("ends a wait at SKIPPED only in the dialect of the public service", () => {
  const ends = (dialect: typeof interfaceDialect) =>
    revisionStatuses.filter((status) => revisionPhase(status, dialect) === "superseded");
  expect(ends(interfaceDialect)).toEqual([]);
  expect(ends(langsmithDialect)).toEqual(["SKIPPED"]);
  for (const status of ["INTERRUPTED", "UNKNOWN", "NEVER_HEARD_OF"])
    expect(revisionPhase(status, langsmithDialect)).toBe("progress");
});
