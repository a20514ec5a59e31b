import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileCacheFolder } from "../cache-folder";
import { runCommand } from "../command";
import { ensureEngine } from "../dev-engine/ensure";
import { run } from "../process";
import { repositoryRoot } from "../repository";
import { readTotals } from "../test-run/totals";

const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");
const check = ["--import", "tsx", join(__dirname, "check.ts"), "--low-priority"];

/** Implements `npm test`: runs all tests, and `npm run check` in parallel. */
void runCommand(async ({ arguments: jestArguments, signal, progress }) => {
  await ensureEngine({ signal, progress });

  const checking = run(process.execPath, check, { cwd: repositoryRoot, signal });
  // After an interrupt, this function ends with the tests.
  checking.catch(() => undefined);
  const folder = mkdtempSync(join(tmpdir(), "agentserver-test-run-"));
  try {
    const results = join(folder, "results.json");
    const tests = await run(
      process.execPath,
      [jest, "--maxWorkers=2", "--json", `--outputFile=${results}`, ...jestArguments],
      {
        cwd: repositoryRoot,
        env: { NODE_COMPILE_CACHE: compileCacheFolder(process.env), ...process.env },
        signal,
        show: true,
      },
    );
    const checked = await progress.step("waiting for npm run check", () => checking);
    if (checked.code !== 0) console.log(checked.stdout.trim() || checked.stderr.trim());
    const { passed, failed } = readTotals(results);
    console.log(`${passed} passed, ${failed} failed`);
    return checked.code === 0 && tests.code === 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
