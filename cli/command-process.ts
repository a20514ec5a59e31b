import { systemClock, type Clock } from "../provider/clock";
import { asError } from "../provider/errors";
import { printable } from "./printable";

/** Exit codes of all commands. Commands with additional exit codes list them in their help. */
export const exitCodes = { success: 0, failure: 1, interrupted: 130 } as const;

/** Maximum time for most commands to exit after Ctrl-C, in milliseconds. */
const defaultShutdownMs = 500;

/**
 * Time during which further signals do not end the command, in milliseconds. A process that started the command, such
 * as npm, may forward Ctrl-C, and users may press Ctrl-C repeatedly while the agents are being stopped.
 */
const repeatMs = 1_000;

/** Error that ends a command with a specific exit code. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

/** Output stream of a command. */
interface Output {
  /** True if the stream is a terminal. */
  isTTY: boolean;
  /** Width of the terminal; undefined if the stream is not a terminal. */
  columns?: number;
  /** Resolves when more text can be written. */
  write(text: string): Promise<void>;
}

/** Interface between a command and its process. */
export interface CommandProcess {
  cwd: string;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random: () => number;
  /** Stream for results. */
  stdout: Output;
  /** Stream for messages. */
  stderr: Output;
  /** Signal that aborts on Ctrl-C. */
  signal: AbortSignal;
}

/**
 * Runs a command in this process and sets the exit code: the command's result, 1 after an error, or 130 after Ctrl-C.
 * An error is printed on one line. Another Ctrl-C at least one second later ends the process immediately. If the reader
 * has closed the pipe (`| head`), the command exits silently.
 * @param shutdownMs maximum time for the command to exit after Ctrl-C, in milliseconds
 */
export async function runCommand(
  command: (process: CommandProcess) => Promise<number | void>,
  shutdownMs = defaultShutdownMs,
): Promise<void> {
  const interruption = new AbortController();
  let interruptedAt = 0;
  const interrupt = () => {
    if (interruption.signal.aborted) {
      if (performance.now() - interruptedAt > repeatMs) process.exit(exitCodes.interrupted);
      return;
    }
    interruptedAt = performance.now();
    interruption.abort(new Error("interrupted"));
    // A request that ignores the signal must not delay the command.
    setTimeout(() => process.exit(exitCodes.interrupted), shutdownMs).unref();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? exitCodes.success : exitCodes.failure);
    });
  const context: CommandProcess = {
    cwd: process.cwd(),
    env: process.env,
    clock: systemClock,
    random: Math.random,
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    signal: interruption.signal,
  };
  process.exitCode = await exitCodeOf(command, context);
}

/** Runs a command and returns its exit code. Prints an error on `stderr`. */
export async function exitCodeOf(
  command: (process: CommandProcess) => Promise<number | void>,
  context: CommandProcess,
): Promise<number> {
  try {
    return (await command(context)) ?? exitCodes.success;
  } catch (thrown) {
    if (context.signal.aborted) return exitCodes.interrupted;
    const message = asError(thrown)
      .message.trim()
      .replace(/\s*\n\s*/g, " ");
    await context.stderr.write(`agentserver: ${printable(message)}\n`);
    return thrown instanceof CommandFailure ? thrown.exitCode : exitCodes.failure;
  }
}

function createOutput(stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }): Output {
  return {
    isTTY: stream.isTTY === true,
    // The size of a terminal may change while the command runs.
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
