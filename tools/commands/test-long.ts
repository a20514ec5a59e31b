import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourceHash } from "../build/source-hash";
import { buildTargets } from "../build/targets";
import { runCommand } from "../command";
import { ensureEngine } from "../dev-engine/ensure";
import { choosePieces } from "../pieces";
import { run } from "../process";
import { reliabilityFile, updateFigures } from "../reliability/document";
import { figuresFolder, lastFigures } from "../reliability/figures";
import { type Piece, pieces } from "../reliability/pieces";
import { ProgressFile } from "../reliability/progress-file";
import { repositoryRoot } from "../repository";

const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");
const progressFile = join(repositoryRoot, ".agentserver", "long-run.json");
const newFigures = join(repositoryRoot, ".agentserver", "long-run-figures");

/**
 * Implements `npm run test:long [-- --continue] [piece ...]`: runs the full reliability suites, and all properties with
 * new seeds, in pieces. Skips completed pieces if the sources have not changed, or if `--continue` is specified. After
 * the last piece, writes the figures to `docs/reliability.md`.
 */
void runCommand(async ({ arguments: args, signal, progress }) => {
  const keep = args.includes("--continue");
  const names = args.filter((argument) => argument !== "--continue");
  const chosen = choosePieces(pieces, names);
  if (!chosen) return 2;
  await ensureEngine({ signal, progress });
  const sources = buildTargets.map((target) => sourceHash(repositoryRoot, target)).join(" ");
  const done = ProgressFile.read(progressFile, sources, { keep });
  if (!pieces.some(({ name }) => done.isDone(name))) rmSync(newFigures, { recursive: true, force: true });
  for (const piece of chosen) {
    if (done.isDone(piece.name)) {
      console.log(`✓ ${piece.name} (already done)`);
      continue;
    }
    if ((await runPiece(piece, signal)) !== 0) {
      console.log(`✗ ${piece.name}. Run the same command again to repeat this part and continue.`);
      return 1;
    }
    done.complete(piece.name);
    console.log(`✓ ${piece.name}`);
  }
  if (!pieces.every(({ name }) => done.isDone(name))) return 0;
  writeFigures();
  done.clear();
  console.log(`Wrote the figures to ${reliabilityFile}`);
  return 0;
});

async function runPiece({ name, tests, only }: Piece, signal: AbortSignal): Promise<number | undefined> {
  const env = {
    ...process.env,
    AGENTSERVER_LONG_RUN: "1",
    AGENTSERVER_FIGURES: newFigures,
    AGENTSERVER_PIECE: name,
  };
  const jestArguments = [jest, "--maxWorkers=2", ...tests(), ...(only ? ["--testNamePattern", only] : [])];
  return (await run(process.execPath, jestArguments, { cwd: repositoryRoot, env, signal, show: true })).code;
}

function writeFigures(): void {
  rmSync(figuresFolder, { recursive: true, force: true });
  cpSync(newFigures, figuresFolder, { recursive: true });
  writeFileSync(reliabilityFile, updateFigures(readFileSync(reliabilityFile, "utf8"), lastFigures()));
}
