import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { isForPrograms, pick } from "./allowed-environment";
import { type ChildEnd, childEnd } from "./child-end";
import { eachLine } from "./each-line";
import {
  commandEnvironment,
  killTree,
  supervisorEnvironment,
  newProcessTree,
  type ProcessTree,
  supervisorCommand,
  type TreeHold,
} from "./process-tree";

/** Options of a command that ends, with everything it started, when this process does. */
export interface SupervisedCommandOptions {
  command: string;
  args: readonly string[];
  folder: string;
  /** Environment of the command only; the supervisor process uses that of the machine. */
  environment: NodeJS.ProcessEnv;
  /**
   * Time in which the command may end on its own when this process is gone, in milliseconds. If set, the command also
   * has a link (file descriptor 3) to report on. @default no grace period, no link
   */
  graceMs?: number;
  /** @default the strongest hold that the machine permits */
  hold?: TreeHold | undefined;
  /** Owner for which a later process may end it, see `treeOwner`. @default none */
  owner?: string;
  /** Time in which the supervisor process may end everything before this process does so itself, in milliseconds. @default 3000 */
  patienceMs?: number;
  /** Called for each line of output. */
  line: (line: string, from: "stdout" | "stderr") => void;
  /** Called for each line on the link. */
  report?: (line: string) => void;
}

/** A running command with its supervisor process. */
export interface SupervisedCommand {
  /** Id of the supervisor process: ending it ends the command and everything it started. */
  pid: number | undefined;
  /**
   * Resolves with the command's end when everything it started has ended. A code above 128 may represent a signal,
   * which is then set, too. Rejects if it could not be started.
   */
  ended: Promise<ChildEnd>;
  /** Asks the command to end. */
  ask: () => void;
  /** Immediately ends everything. */
  kill: () => void;
}

/** Starts a command. Throws what `spawn` throws, and if the environment contains a null byte. */
export function startSupervised(options: SupervisedCommandOptions): SupervisedCommand {
  const { graceMs = 0, patienceMs = 3000 } = options;
  const tree = newProcessTree(options.hold, options.owner);
  const unfit = Object.entries(options.environment).find((entry) => entry.join("").includes("\0"));
  if (unfit) throw new Error(`The environment variable ${JSON.stringify(unfit[0])} holds a null byte.`);
  const [program, ...words] = supervisorCommand(tree, graceMs);
  const child: ChildProcess = spawn(program, [...words, options.command, ...options.args], {
    cwd: options.folder,
    // The command's environment may contain variables that end the supervisor process, or that it must not load.
    env: { ...pick(process.env, isForPrograms), ...supervisorEnvironment(tree) },
    stdio: ["pipe", "pipe", "pipe", ...(graceMs > 0 ? (["pipe"] as const) : [])],
    // The control plane handles signals of the terminal, and decides about the command.
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
    // Otherwise the supervisor process has ended it.
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
      overdue ??= setTimeout(() => void killWithout(child, tree), patienceMs);
    },
  };
}

/**
 * Ends a process tree without its supervisor process: one that was stopped (SIGSTOP), as its command can do, ends
 * nothing. While it exists, its descendants identify processes of the tree.
 */
async function killWithout(supervisor: ChildProcess, tree: ProcessTree): Promise<void> {
  await killTree(tree, supervisor.pid);
  supervisor.kill("SIGKILL");
}

/** Returns the signal that ended the command, from the exit code of the supervisor process. */
function signalOf(code: number | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return (name as NodeJS.Signals | undefined) ?? null;
}

/** Options of a command that ends, with everything it started, when this process dies or `signal` aborts. */
export interface RunOptions extends Omit<SupervisedCommandOptions, "graceMs" | "report"> {
  signal: AbortSignal;
}

/** Exit code of a command that cannot be started. */
export const notStarted = 127;

/** Runs the command and resolves with its exit code; rejects only if `signal` aborts, after everything has ended. */
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
