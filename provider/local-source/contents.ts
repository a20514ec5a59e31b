import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { AgentServerError } from "../errors";
import { mapConcurrently } from "../map-concurrently";
import { isInside, projectOf, reading, realFolder } from "./files";
import { foldersOf } from "./graph-configuration";
import { sourceFiles, type SourceFile } from "./source-files";

/** Maximum number of files that are read concurrently. */
const concurrency = 8;

/** Number of bytes of a large file that are hashed at a time. */
const piece = 256 * 1024;

/** A file of a source, with the hash of its contents. */
export interface HashedFile extends SourceFile {
  hash: string;
}

/** A source in folders on this machine, in the form in which it is sent to the control plane. */
export interface LocalSource {
  /** Folder that the paths in the archive are relative to. */
  root: string;
  /**
   * Hash of the names, contents, and executable bits of all files. It is the same on every machine, regardless of file
   * times.
   */
  contentHash: string;
  /** Files to send, sorted by path. */
  files: HashedFile[];
  /** Absolute paths of the folders that may contain files of the source, including empty ones. */
  searched: string[];
  /** Total size of all files before compression. */
  bytes: number;
  /** Path of the graph configuration file in the archive. */
  configPath: string;
  /** Dependency folders that are sent only because the program allows them. */
  allowed: string[];
  /** Reason that git could not report which files it tracks. */
  gitProblem?: string;
}

/**
 * Reads a source.
 * @param workingFolder a folder in the project; dependencies may be anywhere in the project's git repository or, if
 * there is no repository, in the project
 * @param dependencyFolders absolute paths of other folders that the program allows as dependencies
 * @throws AgentServerError `bad_configuration` if there is nothing to deploy, or a file cannot be read or sent
 */
export async function readLocalSource(
  path: string,
  graphConfigPath: string,
  {
    workingFolder = path,
    dependencyFolders = [],
  }: { workingFolder?: string; dependencyFolders?: string[] } = {},
): Promise<LocalSource> {
  const folder = await realFolder(path);
  const project = projectOf(await realFolder(workingFolder));
  const { common, folders, allowed, configPath } = await foldersOf(folder, graphConfigPath, {
    project,
    dependencyFolders,
  });
  const listing = await sourceFiles(folders, common, project);
  const sorted = listing.files.sort(inOrder);
  if (!sorted.some((file) => file.path === configPath))
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} is not among the files that are sent. It must be in the folder, must not be a link, and must not be listed in .gitignore or .dockerignore.`,
    );
  const empty = folders.find((one) => !sorted.some(({ place }) => isInside(place, one)));
  if (empty !== undefined)
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} contains the dependency ${empty}, from which no files are sent: it is empty, its files are listed in .gitignore or .dockerignore, or it is of a kind that is never sent, such as node_modules or a virtual environment.`,
    );
  const files = await hashed(sorted);
  const whole = createHash("sha256");
  for (const { path, hash, isExecutable } of files)
    whole.update(`${isExecutable ? "x" : "-"} ${hash} ${path}\0`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const contentHash = whole.update(configPath).digest("hex");
  const { searched, gitProblem } = listing;
  return { root: common, contentHash, files, searched, bytes, configPath, allowed, gitProblem };
}

function hashed(files: readonly SourceFile[]): Promise<HashedFile[]> {
  return mapConcurrently(files, concurrency, async (file) => ({
    ...file,
    hash: await reading(file.place, () => hashOf(file)),
  }));
}

/**
 * Returns the hash of a file's contents. A large file is hashed in chunks to avoid blocking. A small file is read as a
 * whole, because a stream would take longer than the hash.
 */
async function hashOf({ place, bytes }: SourceFile): Promise<string> {
  if (bytes <= piece) return hash("sha256", await readFile(place));
  const hashing = createHash("sha256");
  for await (const read of createReadStream(place, { highWaterMark: piece })) hashing.update(read as Buffer);
  return hashing.digest("hex");
}

/** Compares the paths of two files by code units, so that the order is the same on every machine. */
function inOrder({ path: one }: SourceFile, { path: other }: SourceFile): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
