import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../process";
import type { Example } from "./paths";

/** Options that set the author of the commits. The commits serve only as a source to clone. */
const author = [
  "-c",
  "user.name=quickstart",
  "-c",
  "user.email=quickstart@localhost",
  "-c",
  "commit.gpgsign=false",
];

/**
 * Commits the example agent's folder in its current state, including uncommitted changes, and returns the commit. The
 * same content always results in the same commit, so that it is not rolled out again.
 */
export async function commitAgent(
  { agentFolder, agentRepository: repository }: Pick<Example, "agentFolder" | "agentRepository">,
  signal: AbortSignal,
): Promise<string> {
  const git = gitIn(agentFolder);
  // Ignored files such as `.env` are committed, too.
  mkdirSync(repository, { recursive: true, mode: 0o700 });
  await git(["init", "--quiet", "--bare", "--initial-branch=main", repository], signal);
  // Left by an interrupted run. No other run is active, because the caller holds the stack's lock.
  rmSync(join(repository, "index.lock"), { force: true });
  const here = [`--git-dir=${repository}`, `--work-tree=${agentFolder}`];
  await git([...here, "add", "--all", "--force", "--", ".", ":(exclude,glob)**/node_modules/**"], signal);
  await rejectNestedRepositories(agentFolder, here, signal);
  const tree = await git([...here, "write-tree"], signal);
  const last = await git([...here, "rev-parse", "--verify", "--quiet", "HEAD"], signal, [1]);
  if (last && (await git([...here, "rev-parse", `${last}^{tree}`], signal)) === tree) return last;
  await git(
    [...author, ...here, "commit", "--quiet", "--no-verify", "--message", "Current state of the agent"],
    signal,
  );
  return git([...here, "rev-parse", "HEAD"], signal);
}

/**
 * Rejects nested repositories, because git would commit only their commit ID, and the agent would not contain their
 * files.
 */
async function rejectNestedRepositories(
  agentFolder: string,
  here: string[],
  signal: AbortSignal,
): Promise<void> {
  const entries = (await gitIn(agentFolder)([...here, "ls-files", "--stage"], signal)).split("\n");
  const nested = entries.find((entry) => entry.startsWith("160000 "))?.split("\t")[1];
  if (nested)
    throw new Error(
      `${agentFolder} contains another git repository, ${nested}. Move it to another folder and try again.`,
    );
}

/** Returns the environment without settings that make git use a different repository. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

function gitIn(cwd: string) {
  return async (args: string[], signal: AbortSignal, allowedCodes: number[] = []): Promise<string> => {
    const { code, stdout, stderr } = await run("git", args, { cwd, env: environment(), signal });
    if (code === 0 || (code !== undefined && allowedCodes.includes(code))) return stdout.trim();
    if (/ENOENT/.test(stderr)) throw new Error("git is not installed. Install it and try again.");
    throw new Error(`git ${args.at(-1)} failed: ${stderr.trim()}`);
  };
}
