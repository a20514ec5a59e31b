import { join } from "node:path";
import { runCommand } from "../command";
import { type Piece, pieces } from "../mutants/pieces";
import { readReport } from "../mutants/report";
import { choosePieces } from "../pieces";
import { run } from "../process";
import { repositoryRoot } from "../repository";

const stryker = join(repositoryRoot, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");

/** Implements `npm run mutants [-- piece ...]`: lists changes to the provider's core that no test detects. */
void runCommand(async ({ arguments: names, signal }) => {
  const chosen = choosePieces(pieces, names);
  if (!chosen) return 2;
  for (const piece of chosen) {
    const code = await runMutants(piece, signal);
    if (code !== 0) return 1;
  }
  return 0;
});

async function runMutants({ name, sources, tests }: Piece, signal: AbortSignal): Promise<number> {
  const report = join(repositoryRoot, ".agentserver", "mutants", `${name}.json`);
  const { code } = await run(
    process.execPath,
    [stryker, "run", "tools/mutants/stryker.config.mjs", "--mutate", sources.join(",")],
    {
      cwd: repositoryRoot,
      env: { ...process.env, AGENTSERVER_MUTANT_TESTS: tests.join(" "), AGENTSERVER_MUTANT_REPORT: report },
      signal,
      show: true,
    },
  );
  if (code !== 0) return 1;
  const { counts, undetected } = readReport(report);
  if (Object.keys(counts).length === 0) {
    console.error(`${name}: ${sources.join(", ")} contains nothing to mutate.`);
    return 1;
  }
  for (const mutant of undetected) console.log(mutant);
  const totals = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  console.log(`${name}: ${totals.join(", ")}`);
  return 0;
}
