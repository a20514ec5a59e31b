import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { signalGroup } from "../../process-group";

/** How a node process under the host is started. */
export interface ChildOptions {
  cwd?: string;
  env: NodeJS.ProcessEnv;
  stdout: Writable;
  stderr: Writable;
}

/** How it ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const graceMs = 3_000;
const lateOutputMs = 5_000;

/** The node processes that the host has started and that have not ended; it takes them along when it goes. */
export class Children {
  private readonly running = new Map<ChildProcess, Promise<Ending>>();
  private closing = false;

  /** Runs node until the signal stops it or it ends and all its output has been passed on. */
  async run(nodeArguments: string[], options: ChildOptions, signal: AbortSignal): Promise<Ending> {
    if (this.closing) throw new Error("the language host is shutting down");
    signal.throwIfAborted();
    // A process group of its own, so that what the program itself has started can be ended with it.
    const child = spawn(
      process.execPath,
      ["--require", join(__dirname, "program-preload.cjs"), ...nodeArguments],
      {
        cwd: options.cwd,
        env: { ...options.env, AGENTSERVER_LANGUAGE_HOST: String(process.pid) },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    child.stdout.pipe(options.stdout, { end: false });
    child.stderr.pipe(options.stderr, { end: false });
    const ending = ended(child);
    this.running.set(child, ending);
    const stop = () => stopGroup(child);
    signal.addEventListener("abort", stop);
    try {
      const result = await ending;
      await Promise.all([flushed(options.stdout), flushed(options.stderr)]);
      return result;
    } finally {
      signal.removeEventListener("abort", stop);
      this.running.delete(child);
    }
  }

  /** Ends all of them and resolves when they are gone; none can be started any more. */
  async stopAll(): Promise<void> {
    this.closing = true;
    for (const child of this.running.keys()) stopGroup(child);
    await Promise.allSettled(this.running.values());
  }
}

/** Output that a left-behind process holds open is waited for, but not for ever. */
function ended(child: ChildProcess): Promise<Ending> {
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
