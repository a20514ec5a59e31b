import { run } from "../process";
import type { Progress } from "../progress";
import type { Check } from "./checks";

/** How checks are run. */
export interface RunChecksOptions {
  /** The folder that the checks run in. */
  cwd: string;
  signal?: AbortSignal;
  progress: Progress;
  /** Gets the findings of each check that fails, when it fails. */
  print: (text: string) => void;
}

/** Runs all checks, one after another, whatever the earlier ones find. Resolves with how many of them failed. */
export async function runChecks(
  checks: readonly Check[],
  { cwd, signal, progress, print }: RunChecksOptions,
): Promise<number> {
  let failed = 0;
  for (const { label, failure, words } of checks) {
    const findings = await progress
      .step(label, async () => {
        const { code, stdout, stderr } = await run(process.execPath, words, { cwd, signal });
        if (code !== 0) throw new Findings(`${stdout}\n${stderr}`.trim());
      })
      .catch((error: unknown) => {
        if (error instanceof Findings) return error.message;
        throw error;
      });
    if (findings === undefined) continue;
    failed += 1;
    print(`${findings}\n${failure}\n`);
  }
  return failed;
}

class Findings extends Error {}
