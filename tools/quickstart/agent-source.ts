import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "../process";
import type { Example } from "./places";

/** Commits made here are nobody's: they only give the control plane something to clone. */
const author = [
  "-c",
  "user.name=quickstart",
  "-c",
  "user.email=quickstart@localhost",
  "-c",
  "commit.gpgsign=false",
];

/**
 * Commits the example agent's folder as it stands, edits included, and returns the commit. The same content gives
 * the same commit, so that nothing is rolled out twice.
 */
export async function commitAgent(
  { agentFolder, agentRepository: repository }: Example,
  signal: AbortSignal,
): Promise<string> {
  const git = gitIn(agentFolder);
  // Ignored files, such as a .env, are committed as well.
  mkdirSync(repository, { recursive: true, mode: 0o700 });
  await git(["init", "--quiet", "--bare", "--initial-branch=main", repository], signal);
  // Left by an interrupted run; another one cannot be at work, for the caller holds the stack's lock.
  rmSync(join(repository, "index.lock"), { force: true });
  const here = [`--git-dir=${repository}`, `--work-tree=${agentFolder}`];
  await git([...here, "add", "--all", "--force", "--", ".", ":(exclude,glob)**/node_modules/**"], signal);
  await refuseNestedRepositories(agentFolder, here, signal);
  const tree = await git([...here, "write-tree"], signal);
  const last = await git([...here, "rev-parse", "--verify", "--quiet", "HEAD"], signal, [1]);
  if (last && (await git([...here, "rev-parse", `${last}^{tree}`], signal)) === tree) return last;
  await git(
    [...author, ...here, "commit", "--quiet", "--no-verify", "--message", "The agent as it stands"],
    signal,
  );
  return git([...here, "rev-parse", "HEAD"], signal);
}

/** Git would commit no more of them than a commit id, and the agent would lack their files. */
async function refuseNestedRepositories(
  agentFolder: string,
  here: string[],
  signal: AbortSignal,
): Promise<void> {
  const entries = (await gitIn(agentFolder)([...here, "ls-files", "--stage"], signal)).split("\n");
  const nested = entries.find((entry) => entry.startsWith("160000 "))?.split("\t")[1];
  if (nested)
    throw new Error(`${agentFolder} holds another git repository, ${nested}: move it out and try again.`);
}

/** Without the settings by which a hook or another caller points git at a repository of its own. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
}

function gitIn(cwd: string) {
  return async (words: string[], signal: AbortSignal, alsoFine: number[] = []): Promise<string> => {
    const { code, stdout, stderr } = await run("git", words, { cwd, env: environment(), signal });
    if (code === 0 || (code !== undefined && alsoFine.includes(code))) return stdout.trim();
    if (/ENOENT/.test(stderr)) throw new Error("git is missing: install it and try again.");
    throw new Error(`git ${words.at(-1)} failed: ${stderr.trim()}`);
  };
}
