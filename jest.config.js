/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/tests"],
  testMatch: ["**/*.test.ts"],
  transform: {
    "^.+\\.ts$": ["ts-jest", { tsconfig: "tests/tsconfig.json", diagnostics: { ignoreCodes: [151001] } }],
  },
  modulePathIgnorePatterns: ["/dist/", "/\\.agentserver/"],
  testTimeout: 20_000,
};
