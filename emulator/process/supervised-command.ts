import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { isForPrograms, pick } from "./allowed-environment";
import {
  commandEnvironment,
  killTree,
  supervisorEnvironment,
  newProcessTree,
  type ProcessTree,
  supervisorCommand,
  type TreeHold,
} from "./process-tree";
import { once } from "node:events";
import { StringDecoder } from "node:string_decoder";

/** Options of a command that is stopped, together with everything that it started, when this process exits. */
export interface SupervisedCommandOptions {
  command: string;
  args: readonly string[];
  folder: string;
  /** Environment of the command. The supervisor uses the environment of the machine. */
  environment: NodeJS.ProcessEnv;
  /**
   * Grace period in milliseconds for the command to exit on its own after this process has exited. If set, the command
   * also has a link (file descriptor 3) for its reports.
   * @default no grace period, no link
   */
  graceMs?: number;
  /**
   * Mechanism that keeps the processes of the command together.
   * @default the strongest mechanism that the machine supports
   */
  hold?: TreeHold | undefined;
  /**
   * Owner that allows a later process to find and stop the command. See `treeOwner`.
   * @default none
   */
  owner?: string;
  /**
   * Maximum time in milliseconds for the supervisor to stop everything. After that, this process does so itself.
   * @default 3000
   */
  maxWaitMs?: number;
  /** Called for each line of output. */
  line: (line: string, from: "stdout" | "stderr") => void;
  /** Called for each line on the link. */
  report?: (line: string) => void;
}

/** A running command with its supervisor. */
export interface SupervisedCommand {
  /** PID of the supervisor. Stopping the supervisor also stops the command and everything that it started. */
  pid: number | undefined;
  /**
   * Resolves with the result of the command when the command and all processes that it started have exited. A code
   * above 128 may represent a signal; in that case, the signal is also set. Rejects if the command could not be
   * started.
   */
  ended: Promise<ChildEnd>;
  /** Asks the command to exit on its own. */
  ask: () => void;
  /** Immediately kills the command and everything that it started. */
  kill: () => void;
}

/** Starts a command. Throws if `spawn` throws or if the environment contains a null byte. */
export function startSupervised(options: SupervisedCommandOptions): SupervisedCommand {
  const { graceMs = 0, maxWaitMs = 3000 } = options;
  const tree = newProcessTree(options.hold, options.owner);
  const unfit = Object.entries(options.environment).find((entry) => entry.join("").includes("\0"));
  if (unfit) throw new Error(`The environment variable ${JSON.stringify(unfit[0])} contains a null byte.`);
  const [program, ...words] = supervisorCommand(tree, graceMs);
  const child: ChildProcess = spawn(program, [...words, options.command, ...options.args], {
    cwd: options.folder,
    // Not the command's environment, because its variables could make the supervisor exit or load other code.
    env: { ...pick(process.env, isForPrograms), ...supervisorEnvironment(tree) },
    stdio: ["pipe", "pipe", "pipe", ...(graceMs > 0 ? (["pipe"] as const) : [])],
    // The control plane handles signals from the terminal and decides what happens to the command.
    detached: true,
  });
  const [stdin, stdout, stderr, link] = child.stdio;
  stdin!.on("error", () => undefined);
  stdin!.write(`${JSON.stringify({ ...options.environment, ...commandEnvironment(tree) })}\n`);
  eachLine(stdout!, (line) => options.line(line, "stdout"));
  eachLine(stderr!, (line) => options.line(line, "stderr"));
  if (link) eachLine(link as Readable, (line) => options.report?.(line));
  let overdue: NodeJS.Timeout | undefined;
  let isOver = false;
  const ended = childEnd(child).then(async (end) => {
    isOver = true;
    clearTimeout(overdue);
    // If the supervisor was not killed, it has stopped the process tree.
    if (end.signal !== null) await killTree(tree);
    return end.signal === null ? { code: end.code, signal: signalOf(end.code) } : end;
  });
  return {
    pid: child.pid,
    ended,
    ask: () => void stdin!.write("stop\n"),
    kill() {
      if (isOver) return;
      child.kill("SIGTERM");
      overdue ??= setTimeout(() => void killWithout(child, tree), maxWaitMs);
    },
  };
}

/**
 * Kills a process tree without the help of its supervisor, because a supervisor that is suspended (SIGSTOP), possibly
 * by its command, cannot stop anything. As long as the supervisor exists, its descendants identify the processes of the
 * tree.
 */
async function killWithout(supervisor: ChildProcess, tree: ProcessTree): Promise<void> {
  await killTree(tree, supervisor.pid);
  supervisor.kill("SIGKILL");
}

/** Returns the signal that terminated the command, based on the exit code of the supervisor. */
function signalOf(code: number | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return (name as NodeJS.Signals | undefined) ?? null;
}

/**
 * Options of a command that is stopped, together with everything that it started, when this process exits or `signal`
 * aborts.
 */
export interface RunOptions extends Omit<SupervisedCommandOptions, "graceMs" | "report"> {
  signal: AbortSignal;
}

/** Exit code of a command that cannot be started. */
export const notStarted = 127;

/** Runs the command and resolves with its exit code. Rejects only if `signal` aborts, after everything has exited. */
export async function runSupervised({ signal, ...options }: RunOptions): Promise<number> {
  signal.throwIfAborted();
  const { ended, kill } = startSupervised(options);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const { code } = await ended;
    signal.throwIfAborted();
    return code ?? 1;
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * Maximum time in milliseconds to wait for output after a process has exited, because a process that left its group may
 * keep the pipe open.
 */
const lastOutputMs = 500;

/** Resolves when the process has exited and its output has been read. Rejects if the process could not be started. */
async function childEnd(child: ChildProcess): Promise<ChildEnd> {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  let timer: NodeJS.Timeout | undefined;
  const maxWait = new Promise<void>((resolve) => (timer = setTimeout(resolve, lastOutputMs)));
  await Promise.race([closed, maxWait]);
  clearTimeout(timer);
  return { code, signal };
}

const longestLine = 64 * 1024;

/** Calls `take` for every line of a text stream. Truncates lines after 64 Ki characters. */
export function eachLine(stream: Readable, take: (line: string) => void): void {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  const add = (text: string) => {
    const parts = text.split("\n");
    const unfinished = parts.pop() ?? "";
    for (const part of parts) {
      take(bounded(pending + part).replace(/\r$/, ""));
      pending = "";
    }
    pending = bounded(pending + unfinished);
  };
  stream.on("data", (chunk: Buffer) => add(decoder.write(chunk)));
  stream.on("close", () => {
    const rest = pending + decoder.end();
    if (rest !== "") take(bounded(rest));
  });
  // There are no more lines after a broken pipe.
  stream.on("error", () => undefined);
}

function bounded(line: string): string {
  return line.length > longestLine ? line.slice(0, longestLine) : line;
}
