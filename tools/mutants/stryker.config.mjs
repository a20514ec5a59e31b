/** What `npm run mutants` gives Stryker. */
export default {
  testRunner: "jest",
  plugins: ["@stryker-mutator/jest-runner"],
  jest: { configFile: "tools/mutants/jest.config.cjs", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  // An emptied text says nothing of what the provider does.
  mutator: { excludedMutations: ["StringLiteral"] },
  // Code that runs as a module is loaded would be tried with each and every test.
  ignoreStatic: true,
  ignorePatterns: ["dist", ".agentserver", "docs", "examples", "bench"],
  reporters: ["progress-append-only", "json"],
  jsonReporter: { fileName: process.env.AGENTSERVER_MUTANT_REPORT },
  concurrency: 2,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 20,
};
