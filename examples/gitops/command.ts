import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** How a command ended; `code` is missing when a signal ended it or it could not be started. */
export interface Ended {
  code?: number;
  stdout: string;
  stderr: string;
}

/** Where and how long a command runs. */
export interface CommandOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Text for its standard input. */
  input?: string;
}

/** Most that a command may print, in bytes. */
const maxBuffer = 64 * 1024 * 1024;

/** Runs a command without a shell, to its end; rejects only when the signal has ended it. */
export function run(file: string, words: string[], options: CommandOptions): Promise<Ended> {
  const { input, signal, ...place } = options;
  return new Promise((resolve, reject) => {
    const child = execFile(file, words, { ...place, signal, maxBuffer }, (error, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason);
      if (!error) return resolve({ code: 0, stdout, stderr });
      const code = typeof error.code === "number" ? error.code : undefined;
      resolve({ code, stdout, stderr: stderr || error.message });
    });
    // A command that does not read to the end says so itself, by its exit code.
    child.stdin?.on("error", () => undefined).end(input);
  });
}

/** Runs the `agentserver` command of the package that this project depends on. */
export function agentserver(words: string[], options: CommandOptions): Promise<Ended> {
  const manifest = createRequire(import.meta.url).resolve("pulumi-agentserver/package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { agentserver: string } };
  return run(process.execPath, [join(dirname(manifest), bin.agentserver), ...words], options);
}
