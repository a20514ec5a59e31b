import { execFile } from "node:child_process";
import type { CommandProcess } from "./command-process";

/** Maximum size of the output, in bytes. */
const outputLimit = 256 * 1024 * 1024;

/**
 * Returns the output of a Pulumi command.
 * @param errorOf returns the error for a command that has failed
 */
export function runPulumi(
  args: string[],
  { cwd, env, signal }: Pick<CommandProcess, "cwd" | "env" | "signal">,
  errorOf: (reason: string) => Error,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const environment = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
    const options = { cwd, env: environment, signal, maxBuffer: outputLimit };
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if (signal.aborted) return reject(signal.reason);
      if (error.code === "ENOENT")
        return reject(errorOf("pulumi is not on the PATH, or the folder does not exist"));
      reject(errorOf(complaintIn(stderr)));
    });
  });
}

/** Returns Pulumi's error message without the hints that follow it. */
export function complaintIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const complaint =
    lines.find((line) => line.startsWith("error: ")) ?? lines[0] ?? "pulumi reported no error";
  return complaint.replace(/^error: /, "");
}
