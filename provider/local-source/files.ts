import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { AgentServerError } from "../errors";

// Folders are absolute paths with slashes and without one at the end: the root folder is an empty text.

/**
 * A folder with all links in its path resolved.
 * @throws AgentServerError `bad_configuration` if there is no folder at this path
 */
export async function realFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory())
    throw new AgentServerError(
      "bad_configuration",
      found ? `${path} is not a folder.` : `There is no folder ${path}.`,
    );
  return slashed(await realpath(path)).replace(/\/$/, "");
}

/** A path of this machine with slashes. */
export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** True if a folder is another one, or inside it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The folders on the way down from a folder to one inside it, which is the last of them. */
export function foldersBelow(top: string, folder: string): string[] {
  const names = folder
    .slice(top.length + 1)
    .split("/")
    .filter(Boolean);
  return names.map((_, index) => `${top}/${names.slice(0, index + 1).join("/")}`);
}

export function commonFolder(one: string, other: string): string {
  return isInside(other, one) ? one : commonFolder(one.slice(0, one.lastIndexOf("/")), other);
}

/** The top of the git repository that a folder is in. */
export function repositoryOf(folder: string): Promise<string | undefined> {
  return nearest(folder, isRepository);
}

/** The folder of the Pulumi project that a folder is in; the folder itself if there is none. */
export async function projectOf(folder: string): Promise<string> {
  const isProject = async (one: string) =>
    (await Promise.all(["yaml", "yml", "json"].map((type) => isThere(`${one}/Pulumi.${type}`)))).includes(
      true,
    );
  return (await nearest(folder, isProject)) ?? folder;
}

async function nearest(
  folder: string,
  fits: (folder: string) => Promise<boolean>,
): Promise<string | undefined> {
  if (await fits(folder)) return folder;
  return folder === "" ? undefined : nearest(folder.slice(0, folder.lastIndexOf("/")), fits);
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** True if git takes a folder for the top of a repository, a worktree or a submodule. */
export async function isRepository(folder: string): Promise<boolean> {
  const git = `${folder}/.git`;
  if ((await lstat(git).catch(() => undefined))?.isFile()) {
    const [, target] = /^gitdir: (.+)/.exec(await readFile(git, "utf8").catch(() => "")) ?? [];
    return target !== undefined && isThere(`${resolve(`${folder}/`, target)}/HEAD`);
  }
  return (await Promise.all(["HEAD", "objects", "refs"].map((name) => isThere(`${git}/${name}`)))).every(
    Boolean,
  );
}

/** The result of work on a file; a failure names the file. */
export async function reading<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw fileError(file, error);
  }
}

/** An error of the file system as one that the preview can show. */
export function fileError(file: string, error: unknown): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (AgentServerError.is(error) || !/^E[A-Z0-9]+$/.test(code)) return error as Error;
  return new AgentServerError(
    "bad_configuration",
    code === "ENOENT"
      ? `${file} disappeared while it was read. Run the command again.`
      : `${file} cannot be read (${code}). Make it readable, or name it in .gitignore or .dockerignore.`,
  );
}
