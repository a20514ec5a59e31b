import type { Dirent } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { posix } from "node:path";
import { AgentServerError } from "../errors";
import { DockerRules } from "./docker-rules";
import {
  gitDirectoryMarks,
  isGitData,
  isInside,
  isRepository,
  reading,
  repositoryOf,
  ruleText,
} from "./files";
import { GitRules, gitignoreIn } from "./git-rules";

export interface SourceFile {
  /** Absolute path of the file on this machine. */
  place: string;
  /** Path of the file in the archive, with forward slashes. */
  path: string;
  bytes: number;
  isExecutable: boolean;
}

/** Folders that are never sent: dependencies, caches, virtual environments with common names, and version history. */
const excludedFolders = new Set([
  ".git",
  "node_modules",
  "__pycache__",
  ".venv",
  "venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
]);

/** True if a folder with this name is never sent. Some file systems ignore case. */
export function isExcludedName(name: string): boolean {
  return excludedFolders.has(name.toLowerCase());
}

/**
 * Names of entries in the top folder of every virtual environment, regardless of the folder's name. One of them is
 * sufficient to identify it.
 */
const environmentMarks = ["pyvenv.cfg", "conda-meta"];

/** A `.dockerignore`, with the folder that contains it. */
interface DockerScope {
  folder: string;
  rules: DockerRules;
}

/** The files of a source and, if git could not report the files that it tracks or ignores, the reason. */
export interface SourceListing {
  files: SourceFile[];
  /** Absolute paths of the folders that may contain files of the source, including empty ones. */
  searched: string[];
  gitProblem?: string;
}

/**
 * Lists the files to send. Excludes files that git ignores, files that the `.dockerignore` of one of the folders
 * excludes, and files that are never sent. Each rule applies independently of the others. Links are neither followed
 * nor sent.
 * @param folders real paths; the first one is the source's own folder
 * @param root folder that the paths in the archive are relative to
 * @param project folder of the project; its `.gitignore` files apply outside a git repository
 */
export async function sourceFiles(
  folders: readonly string[],
  root = folders[0]!,
  project = folders[0]!,
): Promise<SourceListing> {
  const own = folders[0]!;
  if (isGitData(own)) throw neverSent(own, "is Git's own data, which may contain credentials and is");
  // Only the source's own folder is checked. Folders above it may have such a name, because the agent may be part of an
  // installed package.
  if (isExcludedName(posix.basename(own)) || (await isEnvironment(own)))
    throw neverSent(own, "contains dependencies, a cache, or a virtual environment, which are");
  const isExcluded = (folder: string) =>
    folder
      .slice(root.length + 1)
      .split("/")
      .some(isExcludedName) || isGitData(folder);
  const tops = folders.filter(
    (one) => !isExcluded(one) && !folders.some((other) => other !== one && isInside(one, other)),
  );
  const problems = new Set<string>();
  const searched: string[] = [];
  const source: Source = {
    folders,
    searched,
    root,
    openGit: async (top, folder, isRepository) => {
      const git = await GitRules.open(top, folder, isRepository, folders[0]!);
      if (git.problem !== undefined) problems.add(git.problem);
      return git;
    },
  };
  const found = await Promise.all(
    tops.map(async (top) => {
      const repository = repositoryOf(top);
      const rulesTop = repository ?? (isInside(top, project) ? project : top);
      return filesIn(top, await source.openGit(rulesTop, top, repository !== undefined), [], source);
    }),
  );
  return { files: found.flat(), searched, gitProblem: problems.values().next().value };
}

function neverSent(folder: string, reason: string): AgentServerError {
  return new AgentServerError("bad_configuration", `${folder} ${reason} never sent. Specify another folder.`);
}

async function isEnvironment(folder: string): Promise<boolean> {
  const entries = await reading(`${folder}/`, () => readdir(`${folder}/`));
  return environmentMarks.some((name) => entries.includes(name));
}

interface Source {
  folders: readonly string[];
  root: string;
  /** Collects the paths of all folders that are read. */
  searched: string[];
  openGit(top: string, folder: string, isRepository: boolean): Promise<GitRules>;
}

async function filesIn(
  folder: string,
  outerGit: GitRules,
  outerDocker: readonly DockerScope[],
  source: Source,
): Promise<SourceFile[]> {
  const entries = await reading(`${folder}/`, () => readdir(`${folder}/`, { withFileTypes: true }));
  const has = (name: string) => entries.some((entry) => entry.name === name);
  const isGitDirectory = !has(".git") && gitDirectoryMarks.every(has);
  if (environmentMarks.some(has) || isGitDirectory) return [];
  source.searched.push(folder);
  const isOtherRepository = has(".git") && folder !== outerGit.top && isRepository(folder);
  const repository = isOtherRepository ? await source.openGit(folder, folder, true) : outerGit;
  const git = has(".gitignore") ? repository.within(folder, gitignoreIn(folder)) : repository;
  const dockerFile = `${folder}/.dockerignore`;
  const docker =
    source.folders.includes(folder) && has(".dockerignore")
      ? [...outerDocker, { folder, rules: new DockerRules(dockerFile, ruleText(dockerFile, "utf8")) }]
      : outerDocker;
  const found = await Promise.all(
    entries.map(async (entry) => {
      const place = `${folder}/${entry.name}`;
      if (staysOut(entry, place, git, docker)) return [];
      if (entry.name.includes("\ufffd"))
        throw new AgentServerError(
          "bad_configuration",
          `The name of ${place} is not valid UTF-8. Rename it, or list it in .gitignore or .dockerignore.`,
        );
      if (entry.isDirectory()) return filesIn(place, git, docker, source);
      const { size, mode } = await reading(place, () => lstat(place));
      const modeInGit = git.modeOf(place);
      const isExecutable = modeInGit === undefined ? (mode & 0o100) !== 0 : modeInGit === "100755";
      return [{ place, path: place.slice(source.root.length + 1), bytes: size, isExecutable }];
    }),
  );
  return found.flat();
}

function staysOut(entry: Dirent, place: string, git: GitRules, docker: readonly DockerScope[]): boolean {
  const path = ({ folder }: DockerScope) => place.slice(folder.length + 1);
  if (entry.isDirectory())
    return (
      isExcludedName(entry.name) ||
      git.ignoresFolder(place) ||
      docker.some((scope) => scope.rules.ignoresAllInside(path(scope)))
    );
  return (
    !entry.isFile() ||
    // In worktrees and submodules, `.git` is a file.
    entry.name.toLowerCase() === ".git" ||
    git.ignores(place) ||
    // If Windows does not support links, git creates a file that contains the target of the link.
    git.modeOf(place) === "120000" ||
    docker.some((scope) => scope.rules.ignores(path(scope)))
  );
}
