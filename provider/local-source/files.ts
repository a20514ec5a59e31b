import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { AgentServerError } from "../errors";

// Folders are absolute paths with forward slashes and without a trailing slash, so the root folder is an empty string.

/**
 * Returns a folder with all links in its path resolved.
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

/** Returns a path on this machine with forward slashes. */
export function slashed(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/** True if a folder is the other folder, or inside it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/**
 * Returns the folders on the path from a top folder to a folder inside it, including the latter but not the top folder.
 */
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

/** Returns the top folder of the git repository that contains a folder. */
export function repositoryOf(folder: string): string | undefined {
  return nearest(folder, isRepository);
}

/**
 * True if a folder is a git directory or is inside one: a `.git` folder, or another folder that git would treat as one.
 */
export function isGitData(folder: string): boolean {
  const isData = (one: string) => /\/\.git$/i.test(one) || isGitDirectory(one);
  // A bare repository or a `.git` folder may contain worktrees.
  const found = nearest(folder, (one) => isRepository(one) || isData(one));
  return found !== undefined && !isRepository(found);
}

/** Returns the folder of the Pulumi project that contains a folder, or the folder itself if there is none. */
export function projectOf(folder: string): string {
  const isProject = (one: string) =>
    ["yaml", "yml", "json"].some((type) => existsSync(`${one}/Pulumi.${type}`));
  return nearest(folder, isProject) ?? folder;
}

function nearest(folder: string, fits: (folder: string) => boolean): string | undefined {
  if (fits(folder)) return folder;
  return folder === "" ? undefined : nearest(folder.slice(0, folder.lastIndexOf("/")), fits);
}

/** True if git treats a folder as the top folder of a repository, a worktree, or a submodule. */
export function isRepository(folder: string): boolean {
  const git = `${folder}/.git`;
  if (!statSync(git, { throwIfNoEntry: false })?.isFile()) return isGitDirectory(git);
  const [, target] = /^gitdir: (.+)/.exec(readFileSync(git, "utf8")) ?? [];
  return target !== undefined && existsSync(resolve(`${folder}/`, target, "HEAD"));
}

/** Names of entries that a folder must contain for git to treat it as a git directory. */
export const gitDirectoryMarks = ["HEAD", "objects", "refs"];

function isGitDirectory(folder: string): boolean {
  return gitDirectoryMarks.every((name) => existsSync(`${folder}/${name}`));
}

/**
 * Reads the text of a `.gitignore` or `.dockerignore`; empty if there is none. Links are rejected, because a link could
 * point to any file on this machine.
 * @throws AgentServerError `bad_configuration` for a link, a pipe, or another special file, and for a file that cannot
 * be read
 */
export function ruleText(file: string, encoding: "latin1" | "utf8"): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isDirectory()) return "";
  if (!found.isFile())
    throw new AgentServerError(
      "bad_configuration",
      `${file} is a link or a special file, so it is not read. Replace it with a file that contains the patterns.`,
    );
  try {
    return readFileSync(file, encoding);
  } catch (error) {
    throw fileError(file, error);
  }
}

/** Reads a file with `work`, and returns the result. If that fails, the error contains the path of the file. */
export async function reading<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw fileError(file, error);
  }
}

/** Converts a file system error to an error that the preview can display. */
export function fileError(file: string, error: unknown): Error {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (AgentServerError.is(error) || !/^E[A-Z0-9]+$/.test(code)) return error as Error;
  return new AgentServerError(
    "bad_configuration",
    code === "ENOENT"
      ? `${file} was deleted while it was being read. Run the command again.`
      : `${file} cannot be read (${code}). Make it readable, or list it in .gitignore or .dockerignore.`,
  );
}
