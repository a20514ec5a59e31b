import { run } from "../process";
import type { Progress } from "../progress";
import type { Check } from "./checks";

/** Options of `runChecks`. */
export interface RunChecksOptions {
  /** Working directory of the checks. */
  cwd: string;
  signal?: AbortSignal;
  progress: Progress;
  /** Prints the output of each failed check. */
  print: (text: string) => void;
}

/** Runs all checks one after another, even if some fail. Resolves with the number of failures. */
export async function runChecks(
  checks: readonly Check[],
  { cwd, signal, progress, print }: RunChecksOptions,
): Promise<number> {
  let failed = 0;
  for (const { label, failure, args } of checks) {
    const findings = await progress
      .step(label, async () => {
        const { code, stdout, stderr } = await run(process.execPath, args, { cwd, signal });
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
