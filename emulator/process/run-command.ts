import { leash, type LeashOptions } from "./supervised-command";

/** Options of a command that ends, with everything it started, when this process dies or `signal` aborts. */
export interface LeashedCommand extends Omit<LeashOptions, "graceMs" | "report"> {
  signal: AbortSignal;
}

/** Exit code of a command that cannot be started. */
export const notStarted = 127;

/** Runs the command and resolves with its exit code; rejects only if `signal` aborts, after everything has ended. */
export async function runOnLeash({ signal, ...options }: LeashedCommand): Promise<number> {
  signal.throwIfAborted();
  const { ended, kill } = leash(options);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const { code } = await ended;
    signal.throwIfAborted();
    return code ?? 1;
  } finally {
    signal.removeEventListener("abort", kill);
  }
}
