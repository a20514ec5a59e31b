import { dialectNames } from "../../../wire";
import { absences } from "../../../tools/coverage/notes";
import { start, stopAll } from "../../emulator/control-plane/client";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { type Exchange, Judge } from "../judge/exchange";
import { walkControlPlane } from "../walk/control-plane";
import { Recorder } from "../walk/recorder";
import { exceptions } from "./exceptions";

afterEach(stopAll);

const judge = new Judge(published.controlPlane);
const narrow = new Judge(published.interface);

/** Published statuses that no request can cause. */
const unreachable: Exceptions = [
  [/\/redeploy 400$/, "documented without its condition"],
  [/^(DELETE|GET) \/v2\/auth\/(agents|callback|providers|tokens)\S* 422$/, "they accept any text"],
];

test.each(dialectNames)(
  "returns only published responses from the local control plane (%s)",
  async (dialect) => {
    const { plane, clock, faults } = await start({ dialect });
    const recorder = new Recorder(plane.baseUrl, {
      "X-Api-Key": plane.apiKey,
      "X-Tenant-Id": plane.tenantId,
    });
    await walkControlPlane({ plane, clock, dialect, recorder });
    expect(faults).toEqual([]);
    const { exchanges } = recorder;
    const findings = exchanges.flatMap((exchange) => judge.answer(exchange));
    expect(unexplained(findings, [...exceptions["both"]!, ...exceptions[dialect]!])).toEqual([]);
    expect(unexplained(unanswered(exchanges), unreachable)).toEqual([]);
    if (dialect === "langsmith") return;
    // The interface document describes neither errors nor all fields of records.
    const successes = exchanges.filter(
      (exchange) =>
        narrow.operationOf(exchange) === judge.operationOf(exchange) && exchange.answer!.status < 300,
    );
    expect(successes.flatMap((exchange) => narrow.answer(exchange, false))).toEqual([]);
  },
);

/** Returns the published statuses that no response had, for all operations that are served. */
function unanswered(exchanges: readonly Exchange[]): string[] {
  const seen = new Set(
    exchanges.map((exchange) => `${judge.operationOf(exchange)} ${exchange.answer!.status}`),
  );
  return Object.entries(published.controlPlane.operations)
    .filter(([name]) => !(name in absences))
    .flatMap(([name, { answers }]) => Object.keys(answers).map((status) => `${name} ${status}`))
    .filter((answer) => !seen.has(answer));
}
