import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type * as Tar from "tar";
import { AgentServerError } from "../errors";
import type { LocalSource } from "./contents";

/** Largest archive that control planes take, in bytes. */
export const largestArchive = 200 * 1024 * 1024;

/** How the folders of archives begin, before the number of the process that makes them. */
const archives = "agentserver-source-";

/** Age from which an archive of a process that has ended is removed, in milliseconds. */
const leftoverAgeMs = 3_600_000;

/** A packed source on this machine's disk. */
export interface Archive {
  place: string;
  bytes: number;
}

/**
 * Packs a source and hands it to some work; it is gone after that. The same source makes the same archive on every
 * machine: sorted, without times and owners.
 * @param now milliseconds since 1970
 * @throws AgentServerError `bad_configuration` for an archive that is too large
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
    await pack(source, place);
    const { size: bytes } = await stat(place);
    if (bytes > largestArchive)
      throw new AgentServerError(
        "bad_configuration",
        `The source makes an archive of ${inMegabytes(bytes)}, and control planes take ${inMegabytes(largestArchive)} at most. Name large files that the agent does not need, such as data and models, in .dockerignore or .gitignore.`,
      );
    return await work({ place, bytes });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What processes that were killed have left: nobody can be at work on it any more. */
async function removeLeftovers(now: number): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const [, pid] = new RegExp(`^${archives}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    const { mtimeMs } = (await stat(folder).catch(() => undefined)) ?? { mtimeMs: Infinity };
    // Processes of another container have numbers of their own.
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

/** A size as people read it. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}

async function pack({ root, files }: LocalSource, place: string): Promise<void> {
  // Loaded here, since most operations send no folder.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- See above.
  const { Pack } = require("tar") as typeof Tar;
  const packing = new Pack({
    cwd: root,
    gzip: { level: 6 },
    portable: true,
    noMtime: true,
    noDirRecurse: true,
    // All paths are relative; `c:` at the beginning of one is a name like any other.
    preservePaths: true,
    // One by one, in their order.
    jobs: 1,
    filter: (_path, found) => {
      // Machines differ in who else may read a file.
      // Two names of one file are two files.
      found.nlink = 1;
      found.mode = 0o100000 | ((found.mode ?? 0) & 0o100 ? 0o755 : 0o644);
      return true;
    },
  });
  const written = pipeline(packing as unknown as NodeJS.ReadableStream, createWriteStream(place));
  for (const { path } of files) packing.write(path);
  packing.end();
  await written;
}
