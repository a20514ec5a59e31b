import { sizeText } from "../../wire";
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type * as Tar from "tar";
import { AgentServerError } from "../errors";
import type { LocalSource } from "./contents";
import { fileError } from "./files";

/** Maximum size of an archive that control planes accept, in bytes. */
const largestArchive = 200 * 1024 * 1024;

/** Maximum size of a file's entry in an archive, excluding its contents and path, in bytes. */
const perFile = 4 * 512;

/** Prefix of the names of temporary folders that contain archives. It is followed by the process ID. */
const archives = "agentserver-source-";

/** Minimum age at which the archive of a terminated process is removed, in milliseconds. */
const leftoverAgeMs = 3_600_000;

/** A packed source in a temporary file. */
export interface Archive {
  place: string;
  bytes: number;
}

/**
 * Packs a source, passes the archive to `work`, and deletes the archive afterward. A source results in the same archive
 * on every machine, because files are sorted, and timestamps and owners are omitted.
 * @param now milliseconds since 1970
 * @throws AgentServerError `bad_configuration` if the archive is too large, or a file can no longer be read
 */
export async function withArchive<Result>(
  source: LocalSource,
  now: number,
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  await removeLeftovers(now);
  const folder = await mkdtemp(join(tmpdir(), `${archives}${process.pid}-`));
  try {
    const place = join(folder, "source.tar.gz");
    await pack(source, createWriteStream(place));
    const { size: bytes } = await stat(place);
    if (bytes > largestArchive) throw tooLarge(largestArchive);
    return await work({ place, bytes });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the archives of processes that were killed. */
async function removeLeftovers(now: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid] = new RegExp(`^${archives}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const { mtimeMs } = (await stat(folder).catch(() => undefined)) ?? { mtimeMs: Infinity };
    // Processes in another container may have the same IDs.
    if (now - mtimeMs > leftoverAgeMs)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Rejects a source whose archive is too large. Packs the source only if the file sizes alone are not sufficient to
 * determine this.
 * @param limit maximum size of the archive, in bytes
 * @throws AgentServerError `bad_configuration`
 */
export async function requireFit(source: LocalSource, limit = largestArchive): Promise<void> {
  const { files, bytes } = source;
  const paths = files.reduce((sum, { path }) => sum + Buffer.byteLength(path), 0);
  // Compression enlarges incompressible data by less than a thousandth.
  if (1.001 * (bytes + paths + (files.length + 1) * perFile) <= limit) return;
  let size = 0;
  await pack(source, async (archive) => {
    for await (const piece of archive) {
      size += (piece as Buffer).length;
      if (size > limit) throw tooLarge(limit);
    }
  });
}

function tooLarge(limit: number): AgentServerError {
  return new AgentServerError(
    "bad_configuration",
    `The archive of the source is larger than ${sizeText(limit)}, the maximum that control planes accept. List large files that the agent does not need, such as data and models, in .dockerignore or .gitignore.`,
  );
}

async function pack(
  { root, files }: LocalSource,
  target: NodeJS.WritableStream | ((archive: AsyncIterable<unknown>) => Promise<void>),
): Promise<void> {
  // Loaded here, since most operations send no folder.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { Pack } = require("tar") as typeof Tar;
  const executable = new Set(files.filter(({ isExecutable }) => isExecutable).map(({ path }) => path));
  const packing = new Pack({
    cwd: `${root}/`,
    gzip: { level: 6 },
    portable: true,
    noMtime: true,
    noDirRecurse: true,
    // All paths are relative, and a name may start with `c:`.
    preservePaths: true,
    // Files are packed one at a time, in order.
    jobs: 1,
    filter: (path, found) => {
      // Permissions for group and others differ between machines, and hard links are packed as separate files.
      found.nlink = 1;
      found.mode = 0o100000 | (executable.has(path) ? 0o755 : 0o644);
      return true;
    },
  });
  const written = pipeline(packing as unknown as NodeJS.ReadableStream, target as NodeJS.WritableStream);
  for (const { path } of files) packing.write(path);
  packing.end();
  try {
    await written;
  } catch (error) {
    throw fileError((error as NodeJS.ErrnoException).path ?? root, error);
  }
}
