import { existsSync } from "node:fs";
import { run } from "../process";
import { agentFolder, places } from "./places";

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
export async function commitAgent(signal: AbortSignal): Promise<string> {
  const repository = places.agentRepository;
  if (!existsSync(repository))
    await git(["init", "--quiet", "--bare", "--initial-branch=main", repository], signal);
  const here = [`--git-dir=${repository}`, `--work-tree=${agentFolder}`];
  await git([...here, "add", "--all", "--force", "--", ".", ":(exclude)node_modules"], signal);
  const tree = await git([...here, "write-tree"], signal);
  const last = await git([...here, "rev-parse", "--verify", "--quiet", "HEAD"], signal, [1]);
  if (last && (await git([...here, "rev-parse", `${last}^{tree}`], signal)) === tree) return last;
  await git(
    [...author, ...here, "commit", "--quiet", "--no-verify", "--message", "The agent as it stands"],
    signal,
  );
  return git([...here, "rev-parse", "HEAD"], signal);
}

async function git(words: string[], signal: AbortSignal, alsoFine: number[] = []): Promise<string> {
  const { code, stdout, stderr } = await run("git", words, { cwd: agentFolder, signal });
  if (code === 0 || (code !== undefined && alsoFine.includes(code))) return stdout.trim();
  if (/ENOENT/.test(stderr)) throw new Error("git is missing: install it and try again.");
  throw new Error(`git ${words.at(-1)} failed: ${stderr.trim()}`);
}
