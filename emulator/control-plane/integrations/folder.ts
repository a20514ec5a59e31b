import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { StoredRepository } from "../store/integrations";

/**
 * Returns the git repositories in a folder: those directly in it, which belong to `owner`, and those one folder below.
 */
export function repositoriesIn(folder: string, owner: string): StoredRepository[] {
  return subfolders(resolve(folder)).flatMap((path) => {
    if (isRepository(path)) return [repositoryAt(path, owner)];
    return subfolders(path)
      .filter(isRepository)
      .map((inner) => repositoryAt(inner, basename(path)));
  });
}

function repositoryAt(path: string, owner: string): StoredRepository {
  const head = readFileSync(join(gitFolder(path)!, "HEAD"), "utf8");
  return {
    owner,
    name: basename(path).replace(/\.git$/, ""),
    url: pathToFileURL(path).href,
    defaultBranch: /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() ?? "main",
  };
}

function isRepository(path: string): boolean {
  return gitFolder(path) !== undefined;
}

/** Returns the folder with git's own files: the repository itself if it is bare. */
function gitFolder(path: string): string | undefined {
  return [path, join(path, ".git")].find(
    (candidate) => existsSync(join(candidate, "HEAD")) && existsSync(join(candidate, "objects")),
  );
}

function subfolders(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => join(path, name))
    .filter((inner) => statSync(inner, { throwIfNoEntry: false })?.isDirectory());
}
