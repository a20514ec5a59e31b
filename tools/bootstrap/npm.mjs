import { spawn } from "node:child_process";

/** Signals that stop the bootstrap, with the exit codes that shells use. */
export const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

const graceMs = 5_000;

/**
 * Runs npm in a separate process group, so that it can be stopped together with its scripts. Resolves with its exit
 * code and output.
 */
export function runNpm(npmArguments, cwd, signal) {
  return new Promise((resolve) => {
    const npm = spawn("npm", npmArguments, { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    npm.stdout.on("data", (chunk) => (output += chunk));
    npm.stderr.on("data", (chunk) => (output += chunk));

    let force;
    const stop = () => {
      signalGroup(npm.pid, "SIGTERM");
      force = setTimeout(() => signalGroup(npm.pid, "SIGKILL"), graceMs);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);

    const finish = (code) => {
      clearTimeout(force);
      signal.removeEventListener("abort", stop);
      if (signal.aborted) signalGroup(npm.pid, "SIGKILL");
      resolve({ code, output });
    };
    npm.on("error", (error) => {
      output +=
        error.code === "ENOENT" ? "npm is not on the PATH. Install it; it is part of Node." : String(error);
      finish(1);
    });
    npm.on("close", (code) => finish(code ?? 1));
  });
}

function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
