/** Stryker configuration for `npm run mutants`. */
export default {
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "tools/mutants/jest.config.cjs", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  // Mutants that replace a string with an empty one do not change the behavior of the provider.
  mutator: { excludedMutations: ["StringLiteral"] },
  // Mutants in code that runs when a module is loaded would require all tests.
  ignoreStatic: true,
  ignorePatterns: ["dist", ".agentserver", "docs", "examples", "bench"],
  reporters: ["progress-append-only", "json"],
  jsonReporter: { fileName: process.env.AGENTSERVER_MUTANT_REPORT },
  concurrency: 2,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 20,
};
