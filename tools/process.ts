import { spawn } from "node:child_process";
import { signalGroup } from "./process-group";

/** Options of `run`. */
export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Signal that stops the process and its descendants. */
  signal?: AbortSignal;
  /** Time after which the process is stopped, in milliseconds. */
  timeoutMs?: number;
  /** Called with each line of standard error. */
  onErrorLine?: (line: string) => void;
  /** True to connect the process to our own output instead of collecting its output. */
  show?: boolean;
}

/** Result of a process. `code` is undefined if the process could not be started or was terminated by a signal. */
export interface RunResult {
  code: number | undefined;
  stdout: string;
  stderr: string;
}

const graceMs = 3_000;

/**
 * Runs a program in a separate process group, without input, and collects its output. Rejects only if the signal
 * aborts, after the whole group has exited.
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
    if (child.stderr && options.onErrorLine) forEachLine(child.stderr, options.onErrorLine);

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

function forEachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = "";
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}
