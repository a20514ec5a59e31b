import { join } from "node:path";
import { runCommand } from "../command";
import { benches } from "../performance/benches";
import { performanceFile } from "../performance/document";
import { writePerformance } from "../performance/write";
import { run } from "../process";
import { repositoryRoot } from "../repository";

/** Implements `npm run bench [-- name args]`: runs one benchmark or all of them, and writes the results. */
void runCommand(async ({ signal, arguments: [name, ...args] }) => {
  const names = benches.map((bench) => bench.name);
  if (name !== undefined && !names.includes(name))
    throw new Error(`Unknown benchmark ${name}. Available benchmarks: ${names.join(", ")}.`);
  let exitCode = 0;
  for (const one of name === undefined ? names : [name]) {
    const nodeArguments = ["--import", "tsx", join(repositoryRoot, "bench", one, "main.ts"), ...args];
    const { code = 1 } = await run(process.execPath, nodeArguments, {
      cwd: repositoryRoot,
      signal,
      show: true,
    });
    exitCode = Math.max(exitCode, code);
  }
  writePerformance();
  console.log(`Wrote ${performanceFile}`);
  return exitCode;
});
