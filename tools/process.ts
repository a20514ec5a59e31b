import { spawn } from "node:child_process";
import { signalGroup } from "./process-group";

/** How a process that ran to its end is started. */
export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Ends the process and everything it started. */
  signal?: AbortSignal;
  /** Ends it in the same way after so long. */
  timeoutMs?: number;
  /** Sees each line of standard error as it comes. */
  onErrorLine?: (line: string) => void;
  /** Lets the process write to our own output instead of collecting what it prints. */
  show?: boolean;
}

/** What a process left behind; `code` is undefined if it could not be started or was ended by a signal. */
export interface RunResult {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

const graceMs = 3_000;

/**
 * Runs a program in a process group of its own, without input, and collects what it prints. It never fails because of the program:
 * only an aborted signal rejects, and not before the whole group is gone.
 */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<RunResult> {
  options.signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ["ignore", ...(options.show ? (["inherit", "inherit"] as const) : (["pipe", "pipe"] as const))],
    });
    const result: RunResult = { code: undefined, stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text) => (result.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (result.stderr += text));
    if (child.stderr && options.onErrorLine) followLines(child.stderr, options.onErrorLine);

    let force: NodeJS.Timeout | undefined;
    const stop = () => {
      signalGroup(child.pid, "SIGINT");
      force = setTimeout(() => signalGroup(child.pid, "SIGKILL"), graceMs);
    };
    const deadline = options.timeoutMs === undefined ? undefined : setTimeout(stop, options.timeoutMs);
    options.signal?.addEventListener("abort", stop);

    const finish = () => {
      clearTimeout(deadline);
      clearTimeout(force);
      options.signal?.removeEventListener("abort", stop);
      if (!options.signal?.aborted) return resolve(result);
      signalGroup(child.pid, "SIGKILL");
      reject(options.signal.reason);
    };
    child.on("error", (error) => {
      result.stderr += error.message;
      finish();
    });
    child.on("close", (code) => {
      result.code = code ?? undefined;
      finish();
    });
  });
}

function followLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}
