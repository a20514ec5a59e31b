import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Pack } from "tar";
import { AgentServerError } from "../errors";
import type { LocalSource } from "./contents";

/** Largest archive that control planes take, in bytes. */
export const largestArchive = 200 * 1024 * 1024;

/** A packed source on this machine's disk. */
export interface Archive {
  place: string;
  bytes: number;
}

/**
 * Packs a source and hands it to some work; it is gone after that. The same source makes the same archive on every
 * machine: sorted, without times and owners.
 * @throws AgentServerError `bad_configuration` for an archive that is too large
 */
export async function withArchive<Result>(
  source: LocalSource,
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "agentserver-source-"));
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

/** A size as people read it. */
export function inMegabytes(bytes: number): string {
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`;
}

async function pack({ root, files }: LocalSource, place: string): Promise<void> {
  const packing = new Pack({
    cwd: root,
    gzip: { level: 6 },
    portable: true,
    noMtime: true,
    noDirRecurse: true,
    // One by one, in their order.
    jobs: 1,
    filter: (_path, found) => {
      // Machines differ in who else may read a file.
      found.mode = 0o100000 | ((found.mode ?? 0) & 0o100 ? 0o755 : 0o644);
      return true;
    },
  });
  const written = pipeline(packing as unknown as NodeJS.ReadableStream, createWriteStream(place));
  for (const { path } of files) packing.write(path);
  packing.end();
  await written;
}
