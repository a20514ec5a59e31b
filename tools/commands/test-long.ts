import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../command";
import { ensureEngine } from "../engine/ensure";
import { run } from "../process";
import { reliabilityFile, withFigures } from "../reliability/document";
import { figuresFolder, lastFigures } from "../reliability/figures";
import { repositoryRoot } from "../repository";

const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");

/** `npm run test:long`: the reliability suites in full; a good run puts its figures into `docs/reliability.md`. */
void runCommand(async ({ arguments: jestArguments, signal, progress }) => {
  await ensureEngine({ signal, progress });
  const env = { ...process.env, AGENTSERVER_LONG_RUN: "1", AGENTSERVER_FIGURES: figuresFolder };
  const tests = await run(process.execPath, [jest, "--maxWorkers=2", "tests/reliability", ...jestArguments], {
    cwd: repositoryRoot,
    env,
    signal,
    show: true,
  });
  if (tests.code !== 0) return 1;
  writeFileSync(reliabilityFile, withFigures(readFileSync(reliabilityFile, "utf8"), lastFigures()));
  console.log(`Wrote the figures into ${reliabilityFile}`);
  return 0;
});
