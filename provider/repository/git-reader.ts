import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, posix } from "node:path";
import type { RepositoryReader, RepositorySight, RepositoryView } from "./reader";
import { folderEnvironment, publicEnvironment, runGit, type GitEnd } from "./git";

/**
 * Returns a reader of folders and public repositories that uses the git installation on this machine, if there is one.
 */
export function gitReader(env: NodeJS.ProcessEnv): RepositoryReader {
  return async (view, signal) => {
    try {
      if (view.ref !== undefined && !isRef(view.ref)) return "unclear";
      return isAbsolute(view.address)
        ? await lookIntoFolder(view, env, signal)
        : await lookElsewhere(view, env, signal);
    } catch {
      return "unclear";
    }
  };
}

type Git = (...words: string[]) => Promise<GitEnd | undefined>;

async function lookIntoFolder(
  { address, ref, path }: RepositoryView,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<RepositorySight> {
  if (!(await isFolder(address))) return "no repository";
  // A folder inside a repository is not a repository itself.
  const environment = { ...folderEnvironment(env), GIT_CEILING_DIRECTORIES: dirname(address) };
  const git: Git = (...words) =>
    runGit(["-C", address, "-c", "core.fsmonitor=false", ...words], environment, signal);
  const found = await git("rev-parse", "--git-dir");
  if (found?.code !== 0)
    return /not a git repository/.test(found?.stderr ?? "") ? "no repository" : "unclear";
  if (ref === undefined) return "there";
  for (const name of [...namesOf(ref), ...(mayBeCommit(ref) ? [ref] : [])]) {
    const commit = await git("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
    if (commit === undefined) return "unclear";
    if (commit.code === 0) return path === undefined ? "there" : lookForFile(git, commit.stdout.trim(), path);
  }
  return "no ref";
}

async function lookForFile(git: Git, commit: string, path: string): Promise<RepositorySight> {
  const file = posix.normalize(path);
  if (file.startsWith("..") || file.startsWith("/")) return "unclear";
  const parts = file.split("/");
  const way = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const listed = await git("--literal-pathspecs", "ls-tree", "-z", "-t", "--full-tree", commit, "--", ...way);
  if (listed?.code !== 0) return "unclear";
  const entries = listed.stdout
    .split("\0")
    .filter(Boolean)
    .map((line) => line.split(/[ \t]/));
  const paths = listed.stdout.split("\0").map((line) => line.split("\t").slice(1).join("\t"));
  if (paths.includes(file)) return "there";
  // A link or a submodule may contain the file.
  return entries.some(([mode]) => mode === "120000" || mode === "160000") ? "unclear" : "no file";
}

/**
 * Checks a repository that is not on this machine. Checks only its refs, because files cannot be read without a fetch.
 * If there is no response, the repository may be private or at a different location.
 */
async function lookElsewhere(
  { address, ref }: RepositoryView,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<RepositorySight> {
  if (ref === undefined || mayBeCommit(ref)) return "unclear";
  const names = namesOf(ref);
  const words = ["-c", "credential.helper=", "ls-remote", "--quiet", "--", address, ...names];
  const listed = await runGit(["-C", tmpdir(), ...words], publicEnvironment(env), signal);
  if (listed?.code !== 0) return "unclear";
  const listedNames = listed.stdout.split("\n").map((line) => line.split("\t")[1]);
  return names.some((name) => listedNames.includes(name)) ? "there" : "no ref";
}

/** Returns the full names that a ref may refer to. */
function namesOf(ref: string): string[] {
  const whole = ref === "HEAD" || ref.startsWith("refs/") ? [ref] : [];
  return [...whole, `refs/heads/${ref}`, `refs/tags/${ref}`];
}

/** True if the string may be the ID of a commit, or a prefix of one. */
function mayBeCommit(ref: string): boolean {
  return /^[0-9a-f]{4,64}$/i.test(ref);
}

/** True if git accepts the string as a ref name. Any other string could have several meanings. */
function isRef(ref: string): boolean {
  return !/^[-/]|[/.]$|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\//.test(ref);
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
