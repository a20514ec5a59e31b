import { systemClock, type Clock } from "../provider/clock";
import { asError } from "../provider/errors";
import { printable } from "./printable";

/** Exit codes that all commands share; what a command adds to them stands in its own help. */
export const exitCodes = { success: 0, failure: 1, interrupted: 130 } as const;

/** Longest time that a command may take to end after Ctrl-C, in milliseconds. */
const endingMs = 500;

/** The end of a command with an exit code of its own. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Where a command writes. */
interface Output {
  /** Whether a person looks at it. */
  isTTY: boolean;
  /** Width of the terminal, where there is one. */
  columns?: number;
  /** Resolves once more can be written. */
  write(text: string): Promise<void>;
}

/** What a command sees of the process that runs it. */
export interface CommandProcess {
  cwd: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Between 0 and 1, for the jitter of retries. */
  random: () => number;
  /** The result. */
  stdout: Output;
  /** What is said besides. */
  stderr: Output;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
}

/**
 * Runs a command in this process and sets the exit code: the one that it returns, 1 after an error, which is said in
 * one line, 130 after Ctrl-C. A reader that has gone away (`| head`) ends it quietly.
 */
export async function runCommand(
  command: (process: CommandProcess) => Promise<number | void>,
): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => {
    interruption.abort(new Error("interrupted"));
    // A request that does not heed the signal must not hold the command up.
    setTimeout(() => process.exit(exitCodes.interrupted), endingMs).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, interrupt);
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? exitCodes.success : exitCodes.failure);
    });
  const surroundings: CommandProcess = {
    cwd: process.cwd(),
    env: process.env,
    clock: systemClock,
    random: Math.random,
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    signal: interruption.signal,
  };
  process.exitCode = await exitCodeOf(command, surroundings);
}

/** The exit code of a command; its error is said on `stderr`. */
export async function exitCodeOf(
  command: (process: CommandProcess) => Promise<number | void>,
  surroundings: CommandProcess,
): Promise<number> {
  try {
    return (await command(surroundings)) ?? exitCodes.success;
  } catch (thrown) {
    if (surroundings.signal.aborted) return exitCodes.interrupted;
    const message = asError(thrown)
      .message.trim()
      .replace(/\s*\n\s*/g, " ");
    await surroundings.stderr.write(`agentserver: ${printable(message)}\n`);
    return thrown instanceof CommandFailure ? thrown.exitCode : exitCodes.failure;
  }
}

function outputTo(stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }): Output {
  return {
    isTTY: stream.isTTY === true,
    // A terminal may change its size while the command runs.
    get columns() {
      return stream.isTTY === true ? stream.columns : undefined;
    },
    write: (text) =>
      new Promise((resolve) => {
        if (stream.write(text)) resolve();
        else stream.once("drain", resolve);
      }),
  };
}
