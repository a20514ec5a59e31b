import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { compileCacheFolder } from "../cache-folder";
import { runCommand } from "../command";
import { ensureEngine } from "../dev-engine/ensure";
import { run } from "../process";
import { repositoryRoot } from "../repository";
import { usesEngine } from "../test-run/engine-use";
import { readTotals } from "../test-run/totals";

const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");
const check = ["--import", "tsx", join(__dirname, "check.ts"), "--low-priority"];

/** Memory that a worker and the processes of its tests require. */
const bytesPerWorker = 3 * 1024 ** 3;
const workers = Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / bytesPerWorker)));

/**
 * Implements `npm test [-- Jest arguments]`: provides the engine if one of the selected tests uses it, and runs the
 * tests. Without arguments, runs all tests, and `npm run check` in parallel.
 */
void runCommand(async ({ arguments: jestArguments, signal, progress }) => {
  const { stdout: listed } = await run(process.execPath, [jest, "--listTests", ...jestArguments], {
    cwd: repositoryRoot,
    signal,
  });
  const selected = listed.split("\n").filter((line) => line.endsWith(".test.ts"));
  if (selected.some(usesEngine)) await ensureEngine({ signal, progress });

  const checking =
    jestArguments.length === 0 ? run(process.execPath, check, { cwd: repositoryRoot, signal }) : undefined;
  // After an interrupt, this function ends when the tests end, without waiting for this promise.
  checking?.catch(() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "agentserver-test-run-"));
  try {
    const results = join(folder, "results.json");
    const tests = await run(
      process.execPath,
      [jest, `--maxWorkers=${workers}`, "--json", `--outputFile=${results}`, ...jestArguments],
      {
        cwd: repositoryRoot,
        env: { NODE_COMPILE_CACHE: compileCacheFolder(process.env), ...process.env },
        signal,
        show: true,
      },
    );
    const checked = checking && (await progress.step("waiting for npm run check", () => checking));
    const isChecked = checked === undefined || checked.code === 0;
    if (!isChecked) console.log(checked.stdout.trim() || checked.stderr.trim());
    const { passed, failed } = readTotals(results);
    console.log(`${passed} passed, ${failed} failed`);
    return isChecked && tests.code === 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
