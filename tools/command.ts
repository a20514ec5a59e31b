import { constants } from "node:os";
import { Progress } from "./progress";

/** Context of a command. */
export interface CommandContext {
  /** Arguments after the name of the command. */
  arguments: string[];
  /** Signal that aborts on Ctrl-C or SIGTERM. The command stops everything that it has started, and returns. */
  signal: AbortSignal;
  progress: Progress;
}

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a command. The result of the command is the exit code, and an error is printed as one line on standard error.
 * After a signal, waits for the command to clean up, and exits with the code that shells use for the signal.
 */
export async function runCommand(
  command: (context: CommandContext) => Promise<number | void> | void,
): Promise<void> {
  const abort = new AbortController();
  for (const signal of endingSignals) {
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
