import { spawn } from "node:child_process";
import { devNull } from "node:os";

/** Result of running git. */
export interface GitEnd {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs git without a shell and without prompts. The signal terminates git and all processes that it has started.
 * @param longest maximum length of the output, in characters
 * @returns `undefined` if git is not installed or prints too much, or if the signal aborts first
 */
export function runGit(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
  longest = 1_000_000,
): Promise<GitEnd | undefined> {
  if (signal?.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const detached = process.platform !== "win32";
    const child = spawn("git", words, {
      env,
      detached,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { stdout: "", stderr: "" };
    const end = () => {
      try {
        // Git runs in its own process group, because it starts helpers for the network.
        if (child.pid) process.kill(detached ? -child.pid : child.pid, "SIGKILL");
      } catch {
        // The process has already exited.
      }
      resolve(undefined);
    };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        said[stream] += text;
        if (said[stream].length > longest) end();
      });
    signal?.addEventListener("abort", end, { once: true });
    child.on("error", () => resolve(undefined));
    child.on("close", (code) => {
      signal?.removeEventListener("abort", end);
      resolve(code === null ? undefined : { code, ...said });
    });
  });
}

/** Returns an environment in which git reads only a folder on this machine. */
export function folderEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...withoutGit(env), GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "file" };
}

/**
 * Returns an environment in which git reads only public repositories. It contains no settings and no home folder, and
 * therefore no stored passwords.
 */
export function publicEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...withoutGit(env),
    HOME: devNull,
    USERPROFILE: devNull,
    XDG_CONFIG_HOME: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "https",
  };
}

/** Returns the environment without the variables of a parent git process or of a tool that prompts for passwords. */
function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(GIT_|SSH_ASKPASS|SSH_AUTH_SOCK|AGENTSERVER_|PULUMI_)/i.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
