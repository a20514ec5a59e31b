import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { signalGroup } from "../../process-group";

/** Options of a child process. */
export interface ChildOptions {
  cwd?: string;
  env: NodeJS.ProcessEnv;
  stdout: Writable;
  stderr: Writable;
}

/** Program and its arguments. */
type Command = [program: string, ...programArguments: string[]];

/** Result of a process. */
export interface ProcessResult {
  code: number | null;
  signal: NodeJS.Signals | null;
}

// A larger semi-space reduces the number of garbage collections while the SDK is loaded.
const startArguments = ["--min-semi-space-size=16", "--require", join(__dirname, "program-preload.cjs")];
const graceMs = 3_000;
const lateOutputMs = 5_000;

/** Returns the command that runs Node.js. */
export function nodeCommand(nodeArguments: string[]): Command {
  return [process.execPath, ...startArguments, ...nodeArguments];
}

/** Running child processes of the host. The host stops them when it exits. */
export class Children {
  private readonly running = new Map<ChildProcess, Promise<ProcessResult>>();
  private closing = false;

  /** Runs a program until it exits or the signal stops it, and all its output has been forwarded. */
  async run(
    [program, ...programArguments]: Command,
    options: ChildOptions,
    signal: AbortSignal,
  ): Promise<ProcessResult> {
    if (this.closing) throw new Error("the language host is shutting down");
    signal.throwIfAborted();
    // A separate process group, so that processes started by the program can be stopped with it.
    const child = spawn(program, programArguments, {
      cwd: options.cwd,
      env: { ...options.env, AGENTSERVER_LANGUAGE_HOST: String(process.pid) },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.pipe(options.stdout, { end: false });
    child.stderr.pipe(options.stderr, { end: false });
    const ended = waitForEnd(child);
    this.running.set(child, ended);
    const stop = () => stopGroup(child);
    signal.addEventListener("abort", stop);
    try {
      const result = await ended;
      await Promise.all([flushed(options.stdout), flushed(options.stderr)]);
      return result;
    } finally {
      signal.removeEventListener("abort", stop);
      this.running.delete(child);
    }
  }

  /** Stops all processes and resolves when they have exited. No process can be started afterward. */
  async stopAll(): Promise<void> {
    this.closing = true;
    for (const child of this.running.keys()) stopGroup(child);
    await Promise.allSettled(this.running.values());
  }
}

/** Waits for a process to exit. If an orphaned process keeps the output open, waits only for a limited time. */
function waitForEnd(child: ChildProcess): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined;
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      late = setTimeout(() => {
        signalGroup(child.pid, "SIGKILL");
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      }, lateOutputMs);
    });
    child.on("close", (code, signal) => {
      clearTimeout(late);
      signalGroup(child.pid, "SIGTERM");
      resolve({ code, signal });
    });
  });
}

function stopGroup(child: ChildProcess): void {
  signalGroup(child.pid, "SIGINT");
  const force = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
  child.on("close", () => {
    clearTimeout(force);
    signalGroup(child.pid, "SIGKILL");
  });
}

function flushed(stream: Writable): Promise<void> {
  return new Promise((resolve) => (stream.destroyed ? resolve() : void stream.write("", () => resolve())));
}
