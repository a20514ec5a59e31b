const base = require("../../jest.config.js");

/**
 * The tests that judge mutants. Types are not checked: few mutants have them.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...base,
  rootDir: "../..",
  roots: process.env.AGENTSERVER_MUTANT_TESTS.split(" ").map((folder) => `<rootDir>/tests/${folder}`),
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tools/mutants/tsconfig.json", diagnostics: false }] },
};
