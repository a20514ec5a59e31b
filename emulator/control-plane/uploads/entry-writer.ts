import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ReadEntry } from "tar";
import { storageFaultOf } from "../../storage/storage-fault";
import { badArchive } from "./refusals";

/** Codes of system errors that can be caused by a name or path in the archive. */
const archiveFaults = [
  "EEXIST",
  "EILSEQ",
  "EINVAL",
  "EISDIR",
  "ENAMETOOLONG",
  "ENOTDIR",
  "ERR_INVALID_ARG_VALUE",
];

/**
 * Writes the files and folders of an archive sequentially. Writes are synchronous, so at most one file is open at a
 * time.
 */
export class EntryWriter {
  /** True if at least one of the entries was a file. */
  hasFiles = false;
  /** Number of folders that the archive does not list but that were created for their contents. */
  impliedFolders = 0;
  readonly #folders = new Set<string>();
  #open: number | undefined;

  constructor(private readonly root: string) {}

  /**
   * Writes an entry of the archive.
   *
   * @throws Refusal or StorageFault, possibly later, while the entry is being read
   */
  write(entry: ReadEntry): void {
    const place = resolve(this.root, entry.path);
    if (entry.type === "Directory") {
      this.impliedFolders += Math.max(0, this.#orRefuse(entry, () => this.#makeFolder(place)) - 1);
      return void entry.resume();
    }
    this.hasFiles = true;
    // As in git, only the executable bit of the mode is kept.
    const mode = ((entry.mode ?? 0) & 0o100) === 0 ? 0o644 : 0o755;
    const file = this.#orRefuse(entry, () => {
      this.impliedFolders += this.#makeFolder(dirname(place));
      return (this.#open = openSync(place, "w", mode));
    });
    entry.on("data", (chunk: Buffer) => this.#orRefuse(entry, () => writeWhole(file, chunk)));
    entry.on("end", () => this.close());
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open);
    this.#open = undefined;
  }

  /**
   * Creates a folder and its missing parent folders.
   *
   * @returns the number of created folders
   */
  #makeFolder(folder: string): number {
    if (folder === this.root || this.#folders.has(folder)) return 0;
    const above = this.#makeFolder(dirname(folder));
    mkdirSync(folder, { recursive: true });
    this.#folders.add(folder);
    return above + 1;
  }

  #orRefuse<Result>({ path }: ReadEntry, work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code);
      if (archiveFaults.includes(code))
        throw badArchive(`'${path.slice(0, 200)}' cannot be written (${code})`);
      throw storageFaultOf(error, join(this.root, path)) ?? error;
    }
  }
}

/** Writes a whole chunk, because a single write to a nearly full disk may be partial. */
function writeWhole(file: number, chunk: Buffer): void {
  for (let written = 0; written < chunk.length;) written += writeSync(file, chunk, written);
}
