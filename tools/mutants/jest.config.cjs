const base = require("../../jest.config.js");

/**
 * The tests that judge mutants. Types are not checked: few mutants have them.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...base,
  rootDir: "../..",
  testMatch: process.env.AGENTSERVER_MUTANT_TESTS.split(" ").map((tests) => `<rootDir>/tests/${tests}`),
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tests/tsconfig.json", diagnostics: false }] },
};
