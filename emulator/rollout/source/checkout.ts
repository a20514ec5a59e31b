import { mkdir } from "node:fs/promises";
import type { SimpleGit } from "simple-git";
import { isCommit } from "../../../wire";
import { gitErrorMessage, supervisedGit } from "./git";
import type { RepositoryAddress } from "./repository-address";

/**
 * Checks out `ref` of the repository to `folder`. Resolves with the commit, or rejects with the reason for a failure.
 */
export async function checkOut(
  repository: RepositoryAddress,
  ref: string,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  refuseMalformed(ref);
  await mkdir(folder, { recursive: true });
  const git = () => supervisedGit(folder, signal, repository);
  await attempt("The folder for the checkout cannot be prepared", () => git().raw(["init", "--quiet", "."]));
  const name = await remoteName(git(), repository, ref);
  const wanted = name ?? (isCommit(ref) ? ref : undefined);
  const fetched = wanted === undefined ? false : await fetchOne(git, repository, wanted, name !== undefined);
  if (!fetched) await fetchAll(git(), repository);
  const commit = await commitOf(git(), fetched ? "FETCH_HEAD" : ref, ref, repository);
  await attempt(`Commit ${commit} cannot be checked out`, () =>
    git().raw(["checkout", "--quiet", "--detach", commit]),
  );
  return commit;
}

/** Rejects ref names that git does not allow, as well as options and wildcards. */
function refuseMalformed(ref: string): void {
  const malformed =
    ref.startsWith("-") ||
    ref.startsWith("/") ||
    /[/.]$/.test(ref) ||
    /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\//.test(ref);
  if (malformed) {
    throw new Error(`source_revision_config.repo_ref "${ref}" is not a branch, a tag, or a commit hash.`);
  }
}

/** Returns the full name of `ref` in the repository if it is a branch or a tag. Branches take precedence. */
async function remoteName(
  git: SimpleGit,
  repository: RepositoryAddress,
  ref: string,
): Promise<string | undefined> {
  const candidates = [
    ...(ref === "HEAD" || ref.startsWith("refs/") ? [ref] : []),
    `refs/heads/${ref}`,
    `refs/tags/${ref}`,
  ];
  const listed = await attempt(`The repository ${repository.shown} cannot be read`, () =>
    git.raw(["ls-remote", "--", repository.fetch, ...candidates]),
  );
  const names = new Set(listed.split("\n").map((line) => line.split("\t")[1]));
  return candidates.find((candidate) => names.has(candidate));
}

async function fetchOne(
  git: () => SimpleGit,
  repository: RepositoryAddress,
  wanted: string,
  mustExist: boolean,
): Promise<boolean> {
  try {
    await git().raw(["fetch", "--quiet", "--no-tags", "--depth=1", "--", repository.fetch, wanted]);
    return true;
  } catch (error) {
    // Servers may refuse to serve a commit by its ID. In that case, it is looked up in the complete history.
    if (mustExist)
      throw new Error(`The repository ${repository.shown} cannot be fetched: ${gitErrorMessage(error)}.`);
    return false;
  }
}

async function fetchAll(git: SimpleGit, repository: RepositoryAddress): Promise<void> {
  await attempt(`The repository ${repository.shown} cannot be fetched`, () =>
    git.raw([
      "fetch",
      "--quiet",
      "--update-shallow",
      "--",
      repository.fetch,
      "+refs/heads/*:refs/remotes/origin/*",
      "+refs/tags/*:refs/tags/*",
    ]),
  );
}

async function commitOf(
  git: SimpleGit,
  name: string,
  ref: string,
  repository: RepositoryAddress,
): Promise<string> {
  const isId = name === "FETCH_HEAD" || /^[0-9a-f]{4,64}$/i.test(name);
  try {
    if (isId) return await git.raw(["rev-parse", "--verify", `${name}^{commit}`]);
  } catch (error) {
    if (/ambiguous/.test(String(error))) {
      throw new Error(
        `source_revision_config.repo_ref "${ref}" matches several commits in ${repository.shown}; specify more digits.`,
      );
    }
  }
  throw new Error(
    `The repository ${repository.shown} has no branch, tag, or commit "${ref}". Push it, or correct source_revision_config.repo_ref.`,
  );
}

async function attempt<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new Error(`${what}: ${gitErrorMessage(error)}.`, { cause: error });
  }
}
