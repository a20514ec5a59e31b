import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { isForPrograms, pick } from "./allowed-environment";
import { type ChildEnd, childEnd } from "./child-end";
import { eachLine } from "./each-line";
import {
  commandEnvironment,
  endScope,
  leashEnvironment,
  newScope,
  type Scope,
  scopedLeash,
  type ScopeHold,
} from "./process-tree";

/** Options of a command that ends, with everything it started, when this process does. */
export interface LeashOptions {
  command: string;
  args: readonly string[];
  folder: string;
  /** Environment of the command only; the leash uses that of the machine. */
  environment: NodeJS.ProcessEnv;
  /**
   * Time in which the command may end by itself when this process is gone, in milliseconds. If set, the command also
   * has a link (file descriptor 3) to report on. @default no grace period, no link
   */
  graceMs?: number;
  /** @default the strongest hold that the machine permits */
  hold?: ScopeHold | undefined;
  /** Owner for which a later process may end it, see `scopeOwner`. @default none */
  owner?: string;
  /** Time in which the leash may end everything before this process does so itself, in milliseconds. @default 3000 */
  patienceMs?: number;
  /** Called for each line of output. */
  line: (line: string, from: "stdout" | "stderr") => void;
  /** Called for each line on the link. */
  report?: (line: string) => void;
}

/** A command on a leash. */
export interface Leash {
  /** Process id of the leash: ending it ends the command and everything it started. */
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
export function leash(options: LeashOptions): Leash {
  const { graceMs = 0, patienceMs = 3000 } = options;
  const scope = newScope(options.hold, options.owner);
  const unfit = Object.entries(options.environment).find((entry) => entry.join("").includes("\0"));
  if (unfit) throw new Error(`The environment variable ${JSON.stringify(unfit[0])} holds a null byte.`);
  const [program, ...words] = scopedLeash(scope, graceMs);
  const child: ChildProcess = spawn(program, [...words, options.command, ...options.args], {
    cwd: options.folder,
    // The command's environment may contain variables that end a leash, or that a leash must not load.
    env: { ...pick(process.env, isForPrograms), ...leashEnvironment(scope) },
    stdio: ["pipe", "pipe", "pipe", ...(graceMs > 0 ? (["pipe"] as const) : [])],
    // The control plane handles signals of the terminal, and decides about the command.
    detached: true,
  });
  const [stdin, stdout, stderr, link] = child.stdio;
  stdin!.on("error", () => undefined);
  stdin!.write(`${JSON.stringify({ ...options.environment, ...commandEnvironment(scope) })}\n`);
  eachLine(stdout!, (line) => options.line(line, "stdout"));
  eachLine(stderr!, (line) => options.line(line, "stderr"));
  if (link) eachLine(link as Readable, (line) => options.report?.(line));
  let overdue: NodeJS.Timeout | undefined;
  let isOver = false;
  const ended = childEnd(child).then(async (end) => {
    isOver = true;
    clearTimeout(overdue);
    // Otherwise the leash has ended it.
    if (end.signal !== null) await endScope(scope);
    return end.signal === null ? { code: end.code, signal: signalOf(end.code) } : end;
  });
  return {
    pid: child.pid,
    ended,
    ask: () => void stdin!.write("stop\n"),
    kill() {
      if (isOver) return;
      child.kill("SIGTERM");
      overdue ??= setTimeout(() => void endWithout(child, scope), patienceMs);
    },
  };
}

/**
 * Ends a scope without its leash: a leash that was stopped (SIGSTOP), as its command can do, ends nothing. While it
 * exists, its descendants identify processes of the scope.
 */
async function endWithout(leash: ChildProcess, scope: Scope): Promise<void> {
  await endScope(scope, leash.pid);
  leash.kill("SIGKILL");
}

/** Returns the signal that ended the command, from the exit code of the leash. */
function signalOf(code: number | null): NodeJS.Signals | null {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return (name as NodeJS.Signals | undefined) ?? null;
}
