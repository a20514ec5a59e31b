import { existsSync, readFileSync } from "node:fs";

/** How many tests passed and failed. */
export interface Totals {
  passed: number;
  failed: number;
}

interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
}

/** Reads jest's JSON results. A test file that could not run counts as one failure, and so does a run without results. */
export function readTotals(file: string): Totals {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const results = JSON.parse(readFileSync(file, "utf8")) as JestResults;
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
  };
}
