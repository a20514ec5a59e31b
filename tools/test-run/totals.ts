import { existsSync, readFileSync } from "node:fs";

/** Number of passed and failed tests. */
export interface Totals {
  passed: number;
  failed: number;
}

interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
}

/** Reads Jest's JSON results. A test file that could not run, or a run without results, counts as one failure. */
export function readTotals(file: string): Totals {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const results = JSON.parse(readFileSync(file, "utf8")) as JestResults;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
  };
}
