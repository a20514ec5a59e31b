import { temporaryFolder } from "../../temporary-folder";

const sdk = "node_modules/@pulumi/pulumi";

/**
 * Creates a folder with a program and a minimal SDK whose runners only load the program. This makes it possible to test
 * arguments and output without an engine.
 */
export function program(source: string, files: Record<string, string> = {}): string {
  return temporaryFolder({
    "index.js": source,
    [`${sdk}/package.json`]: "{}",
    [`${sdk}/cmd/run/index.js`]: `require(process.argv[process.argv.indexOf("--pwd") + 1])`,
    [`${sdk}/cmd/run-plugin/index.js`]: "require(process.argv[2])",
    [`${sdk}/cmd/run-policy-pack/index.js`]: "require(process.argv.at(-1))",
    ...files,
  });
}

/** Program that starts another process, prints both process IDs, and does not exit. */
export const lingeringProgram = `
  const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  console.log(JSON.stringify({ pids: [process.pid, child.pid] }));
  setInterval(() => {}, 1000);
`;
