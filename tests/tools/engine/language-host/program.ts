import { temporaryFolder } from "../../temporary-folder";

const sdk = "node_modules/@pulumi/pulumi";

/**
 * A folder with a program and an SDK of its own whose runners do nothing but load the program: what the host passes to
 * them, and what it makes of their output and their ending, can be seen without an engine.
 */
export function program(source: string): string {
  return temporaryFolder({
    "index.js": source,
    [`${sdk}/package.json`]: "{}",
    [`${sdk}/cmd/run/index.js`]: `require(process.argv[process.argv.indexOf("--pwd") + 1])`,
    [`${sdk}/cmd/run-plugin/index.js`]: "require(process.argv[2])",
    [`${sdk}/cmd/run-policy-pack/index.js`]: "require(process.argv.at(-1))",
  });
}

/** A program that starts a process of its own, prints both ids, and stays. */
export const lingeringProgram = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  console.log(JSON.stringify({ pids: [process.pid, child.pid] }));
  setInterval(() => {}, 1000);
`;
