import { join } from "node:path";
import { runCommand } from "../command";
import { benches } from "../performance/benches";
import { performanceFile } from "../performance/document";
import { writePerformance } from "../performance/write";
import { run } from "../process";
import { repositoryRoot } from "../repository";

/** `npm run bench [-- name words]`: runs one benchmark, or all, and writes what they came to. */
void runCommand(async ({ signal, arguments: [name, ...words] }) => {
  const names = benches.map((bench) => bench.name);
  if (name !== undefined && !names.includes(name))
    throw new Error(`There is no benchmark ${name}; there are ${names.join(", ")}.`);
  let worst = 0;
  for (const one of name === undefined ? names : [name]) {
    const given = ["--import", "tsx", join(repositoryRoot, "bench", one, "main.ts"), ...words];
    const { code = 1 } = await run(process.execPath, given, { cwd: repositoryRoot, signal, show: true });
    worst = Math.max(worst, code);
  }
  await writePerformance();
  console.log(`Wrote ${performanceFile}`);
  return worst;
});
