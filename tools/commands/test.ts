import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../command";
import { ensureEngine } from "../engine/ensure";
import { run } from "../process";
import { compiler, repositoryRoot } from "../repository";
import { readTotals } from "../test-run/totals";

const jest = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");

void runCommand(async ({ arguments: jestArguments, signal, progress }) => {
  await ensureEngine({ signal, progress });

  const types = await progress.step("checking types", () =>
    run(process.execPath, [compiler, "--noEmit", "-p", "tsconfig.json"], { cwd: repositoryRoot, signal }),
  );
  if (types.code !== 0) console.log(`${types.stdout.trim()}\nThe types do not fit; see above.`);

  const folder = mkdtempSync(join(tmpdir(), "agentserver-test-run-"));
  try {
    const results = join(folder, "results.json");
    const tests = await run(
      process.execPath,
      [jest, "--maxWorkers=2", "--json", `--outputFile=${results}`, ...jestArguments],
      { cwd: repositoryRoot, signal, show: true },
    );
    const { passed, failed } = readTotals(results);
    console.log(`${passed} passed, ${failed} failed`);
    return types.code === 0 && tests.code === 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
