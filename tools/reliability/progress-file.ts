import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const progress = z.object({ sources: z.string(), done: z.array(z.string()) });

/** File that records the completed pieces of a full test run, so that an interrupted run can be resumed. */
export class ProgressFile {
  private constructor(
    private readonly file: string,
    private readonly sources: string,
    private readonly pieces: string[],
  ) {}

  /**
   * Reads the recorded progress, unless it was recorded for different sources.
   * @param sources hash of the tested sources
   * @param options.keep true to keep the progress for different sources
   */
  static read(file: string, sources: string, { keep = false } = {}): ProgressFile {
    const known = existsSync(file) ? progress.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
    const counts = known !== undefined && (keep || known.sources === sources);
    return new ProgressFile(file, sources, counts ? known.done : []);
  }

  isDone(piece: string): boolean {
    return this.pieces.includes(piece);
  }

  /** Records that a piece is complete. */
  complete(piece: string): void {
    this.pieces.push(piece);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, `${JSON.stringify({ sources: this.sources, done: this.pieces }, null, 2)}\n`);
  }

  /** Removes the file, so that the next run starts from the beginning. */
  clear(): void {
    rmSync(this.file, { force: true });
  }
}
