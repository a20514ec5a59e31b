/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/tests"],
  testMatch: ["**/*.test.ts"],
  setupFiles: ["<rootDir>/tests/cached-node-flags.ts", "<rootDir>/tests/unsynced-databases.ts"],
  transform: {
    "^.+\\.ts$": ["ts-jest", { tsconfig: "tests/tsconfig.json", diagnostics: { ignoreCodes: [151001] } }],
  },
  modulePathIgnorePatterns: ["/dist/", "/\\.agentserver/"],
  // A long run tries each property a thousand times.
  testTimeout: process.env.AGENTSERVER_LONG_RUN === "1" ? 600_000 : 300_000,
};
