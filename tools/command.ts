import { constants } from "node:os";
import { Progress } from "./progress";

/** What every command gets. */
export interface CommandContext {
  /** The words after the command's name. */
  arguments: string[];
  /** Aborted by Ctrl-C and by a polite kill: end what was started, then return. */
  signal: AbortSignal;
  progress: Progress;
}

const interrupts = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a command: its number is the exit code, its error one line on standard error. After an interrupt the process
 * waits for the command to clean up and ends with the exit code that shells use for the signal.
 */
export async function runCommand(
  command: (context: CommandContext) => Promise<number | void> | void,
): Promise<void> {
  const abort = new AbortController();
  for (const signal of interrupts) {
    process.on(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      abort.abort(new Error(`interrupted by ${signal}`));
    });
  }
  try {
    const code = await command({
      arguments: process.argv.slice(2),
      signal: abort.signal,
      progress: new Progress(),
    });
    process.exitCode ??= code ?? 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode ??= 1;
  }
}
