import { join } from "node:path";
import { readTotals } from "../../../tools/test-run/totals";
import { temporaryFolder } from "../temporary-folder";

test("counts tests, and treats a test file that could not run as a failure", () => {
  const results = { numPassedTests: 12, numFailedTests: 2, numRuntimeErrorTestSuites: 1 };
  const folder = temporaryFolder({ "results.json": JSON.stringify(results) });

  expect(readTotals(join(folder, "results.json"))).toEqual({ passed: 12, failed: 3 });
});

test("treats a test run without results as a failure", () => {
  expect(readTotals("/nowhere/results.json")).toEqual({ passed: 0, failed: 1 });
});
