import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { relative } from "node:path";
import { AgentServerError } from "../errors";
import { foldersOf, slashed } from "./graph-configuration";
import { sourceFiles, type SourceFile } from "./source-files";

/** Files that are read at the same time. */
const atOnce = 8;

/** Bytes that are hashed in one go. */
const piece = 256 * 1024;

/** One file of a source, with the hash of what is in it. */
export interface HashedFile extends SourceFile {
  hash: string;
}

/** What a source on this machine consists of. */
export interface LocalSource {
  /** The folder that the paths of the archive begin at. */
  root: string;
  /** Of the names, contents and execution bits of all files: the same on every machine, whatever their times. */
  contentHash: string;
  /** In the order of their paths. */
  files: HashedFile[];
  /** Of all files together, before they are packed. */
  bytes: number;
  /** Path of the graph configuration file in the archive. */
  configPath: string;
}

/**
 * Reads a source.
 * @param folder absolute path
 * @throws AgentServerError `bad_configuration` where there is nothing to be deployed
 */
export async function readLocalSource(folder: string, graphConfigPath: string): Promise<LocalSource> {
  await requireFolder(folder);
  const { common, folders, configPath } = await foldersOf(folder, graphConfigPath);
  const listed = await Promise.all(folders.map((one) => sourceFiles(one, prefixOf(relative(common, one)))));
  const byPath = new Map(listed.flat().map((file) => [file.path, file]));
  const sorted = [...byPath.values()].sort(inOrder);
  if (!byPath.has(configPath))
    throw new AgentServerError(
      "bad_configuration",
      `${graphConfigPath} is not among the files that are sent. It must be in the folder, be no link, and be named neither by .gitignore nor by .dockerignore.`,
    );
  const files = await hashed(sorted);
  const whole = createHash("sha256");
  for (const { path, hash, isExecutable } of files)
    whole.update(`${isExecutable ? "x" : "-"} ${hash} ${path}\0`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { root: common, contentHash: whole.update(configPath).digest("hex"), files, bytes, configPath };
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new AgentServerError(
    "bad_configuration",
    found ? `${folder} is not a folder.` : `There is no folder ${folder}.`,
  );
}

function prefixOf(path: string): string {
  return path === "" ? "" : `${slashed(path)}/`;
}

async function hashed(files: readonly SourceFile[]): Promise<HashedFile[]> {
  const all: HashedFile[] = [];
  const waiting = [...files.entries()];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [place, file] = next;
      all[place] = { ...file, hash: await hashOf(file) };
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, work));
  return all;
}

/** A large file in pieces, so that it holds nothing else up; of small ones each stream would cost more than its hash. */
async function hashOf({ place, bytes }: SourceFile): Promise<string> {
  if (bytes <= piece) return hash("sha256", await readFile(place));
  const hashing = createHash("sha256");
  for await (const read of createReadStream(place, { highWaterMark: piece })) hashing.update(read as Buffer);
  return hashing.digest("hex");
}

/** By code units, as on every machine. */
function inOrder({ path: one }: SourceFile, { path: other }: SourceFile): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
