const base = require("../../jest.config.js");

/** Configuration for the tests that run against mutants. Types are not checked, because few mutants change them. */
module.exports = {
  ...base,
  rootDir: "../..",
  testMatch: process.env.AGENTSERVER_MUTANT_TESTS.split(" ").map((tests) => `<rootDir>/tests/${tests}`),
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tests/tsconfig.json", diagnostics: false }] },
};
