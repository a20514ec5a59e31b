/** @type {import("jest").Config} */
module.exports = { preset: "ts-jest", testTimeout: 120_000 };
