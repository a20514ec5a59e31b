import { sizeText } from "../../../wire";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Parser, type ReadEntry } from "tar";
import type { Refusal } from "../refusal";
import { type UploadBounds, uploadBounds } from "./bounds";
import { EntryWriter } from "./entry-writer";
import { badArchive, refuseUpload } from "./refusals";

/** Minimum size of a tar archive in bytes: the size of its first header. */
const headerBytes = 512;

/**
 * Unpacks a gzip-compressed tar archive into an existing empty folder. Only files and folders are unpacked, and only
 * inside that folder. A rejected archive may leave some files in the folder.
 *
 * @throws Refusal if the archive is invalid; StorageFault if it cannot be written.
 */
export async function unpack(
  archive: Readable,
  folder: string,
  signal: AbortSignal,
  bounds: UploadBounds = uploadBounds,
): Promise<void> {
  const unpacking = new Unpacking(folder, bounds);
  try {
    await pipeline(
      archive,
      (source: AsyncIterable<Buffer>) => bounded(source, bounds),
      createGunzip({ chunkSize: 64 * 1024 }),
      async (source: AsyncIterable<Buffer>) => {
        for await (const chunk of source) unpacking.add(chunk);
        unpacking.finish();
      },
      { signal },
    );
  } catch (error) {
    throw isGzipFault(error) ? badArchive("it is not compressed with gzip, or it is damaged") : error;
  } finally {
    unpacking.close();
  }
}

async function* bounded(source: AsyncIterable<Buffer>, bounds: UploadBounds): AsyncGenerator<Buffer> {
  let bytes = 0;
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    const next: IteratorResult<Buffer, unknown> = await chunks.next().catch(() => {
      throw refuseUpload.brokenOff();
    });
    if (next.done) return;
    bytes += next.value.length;
    if (bytes > bounds.bytes) throw refuseUpload.tooLarge(bounds);
    yield next.value;
  }
}

function isGzipFault(error: unknown): boolean {
  return /^Z_/.test(String((error as NodeJS.ErrnoException).code));
}

/** An archive that is being unpacked into a folder. */
class Unpacking {
  readonly #writer: EntryWriter;
  readonly #parser: Parser;
  /** First bytes of the archive, collected until there are enough to inspect. */
  #head: Buffer | undefined = Buffer.alloc(0);
  #bytes = 0;
  #entries = 0;
  #refusal: Refusal | undefined;
  /** True if the end marker of the archive has been read; the rest is padding. */
  #over = false;

  constructor(
    folder: string,
    private readonly bounds: UploadBounds,
  ) {
    this.#writer = new EntryWriter(folder);
    this.#parser = new Parser({ strict: true });
    this.#parser.on("error", (error: Error) => this.#refuse(tarFault(error)));
    this.#parser.on("entry", (entry: ReadEntry) => this.#take(entry));
    // Entries of types that the parser does not support, and header entries that are too large to contain only a name.
    this.#parser.on("ignoredEntry", (entry: ReadEntry) =>
      this.#refuse(`${named(entry)} is of an unknown type`),
    );
    this.#parser.on("eof", () => (this.#over = true));
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.bounds.unpackedBytes)
      throw badArchive(`it is larger than ${sizeText(this.bounds.unpackedBytes)} when unpacked`);
    if (!this.#head) return this.#parse(chunk);
    this.#head = Buffer.concat([this.#head, chunk]);
    if (this.#head.length >= headerBytes) this.#begin(this.#head);
  }

  finish(): void {
    if (this.#head) this.#begin(this.#head);
    if (!this.#over) this.#parser.end();
    if (this.#refusal) throw this.#refusal;
    if (!this.#writer.hasFiles) throw badArchive("it contains no files");
  }

  close(): void {
    this.#writer.close();
  }

  #begin(head: Buffer): void {
    this.#head = undefined;
    // Otherwise, the parser would unpack the inner archive regardless of the limits.
    if ([gzipMagic, zstdMagic].some((magic) => head.subarray(0, magic.length).equals(magic)))
      throw badArchive("it is compressed twice");
    this.#parse(head);
  }

  #parse(chunk: Buffer): void {
    if (!this.#over) this.#parser.write(chunk);
    if (this.#refusal) throw this.#refusal;
  }

  #take(entry: ReadEntry): void {
    this.#entries += 1;
    // Folders without an entry are created too.
    if (this.#entries + this.#writer.impliedFolders > this.bounds.entries)
      this.#refuse(`it has more than ${this.bounds.entries} files and folders`);
    const problem = problemWith(entry, this.bounds);
    if (problem) this.#refuse(`${named(entry)} ${problem}`);
    if (this.#refusal) return void entry.resume();
    try {
      this.#writer.write(entry);
    } catch (error) {
      // The parser does not support listeners that throw.
      this.#refusal = error as Refusal;
      entry.resume();
    }
  }

  #refuse(why: string): void {
    this.#refusal ??= badArchive(why);
  }
}

const gzipMagic = Buffer.from([0x1f, 0x8b]);
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Returns the reason that an entry is rejected, or `undefined` if it may be unpacked. */
function problemWith({ path, type }: ReadEntry, { depth }: UploadBounds): string | undefined {
  if (type === "SymbolicLink" || type === "Link") return "is a link: only files and folders are accepted";
  if (!["File", "OldFile", "ContiguousFile", "Directory"].includes(type))
    return "is neither a file nor a folder";
  const parts = path.split(/[/\\]/);
  if (path.startsWith("/") || path.startsWith("\\") || /^[A-Za-z]:[/\\]/.test(path))
    return "is an absolute path: paths must be relative";
  if (parts.includes("..")) return "points outside the archive ('..')";
  if (type !== "Directory" && ["", "."].includes(parts.at(-1)!)) return "is not the name of a file";
  if (parts.length > depth) return `is nested more than ${depth} folders deep`;
  return undefined;
}

function named({ path }: ReadEntry): string {
  return `'${path.length > 200 ? `${path.slice(0, 200)}…` : path}'`;
}

function tarFault({ message }: Error): string {
  return `it is not a tar archive, or it is damaged (${message.replace(/^TAR_\w+: /, "")})`;
}
