import { spawn } from "node:child_process";
import { childEnd } from "./child-end";
import { eachLine } from "./each-line";
import { shippedScript } from "./package-folder";

/** A command that ends, with everything it started, when this process dies or `signal` aborts. */
export interface LeashedCommand {
  command: string;
  args: string[];
  folder: string;
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** Called for each line of output. */
  line(line: string, from: "stdout" | "stderr"): void;
}

/** Exit code of a command that cannot be started. */
export const notStarted = 127;

/** Runs the command to its end and resolves with its exit code; rejects only when `signal` aborts, once all is gone. */
export async function runOnLeash(leashed: LeashedCommand): Promise<number> {
  const { signal } = leashed;
  signal.throwIfAborted();
  const child = spawn(process.execPath, [shippedScript("leash.mjs"), leashed.command, ...leashed.args], {
    cwd: leashed.folder,
    env: leashed.environment,
    stdio: ["pipe", "pipe", "pipe"],
    // Signals of the terminal are for the control plane, which decides what they mean for the command.
    detached: true,
  });
  child.stdin.on("error", () => undefined);
  eachLine(child.stdout, (line) => leashed.line(line, "stdout"));
  eachLine(child.stderr, (line) => leashed.line(line, "stderr"));
  const letGo = () => child.stdin.end();
  signal.addEventListener("abort", letGo, { once: true });
  try {
    const { code } = await childEnd(child);
    signal.throwIfAborted();
    return code ?? 1;
  } finally {
    signal.removeEventListener("abort", letGo);
  }
}
