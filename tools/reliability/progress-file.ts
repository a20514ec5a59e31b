import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";

const progress = z.object({ sources: z.string(), done: z.array(z.string()) });

/** Which pieces of a long run are done; kept in a file, so that a run that was cut off can be resumed. */
export class ProgressFile {
  private constructor(
    private readonly file: string,
    private readonly sources: string,
    private readonly pieces: string[],
  ) {}

  /**
   * The progress of before, unless it is of other sources.
   * @param sources identifies what is tested
   * @param options.keep whether what was done with other sources counts all the same
   */
  static read(file: string, sources: string, { keep = false } = {}): ProgressFile {
    const known = existsSync(file) ? progress.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
    const counts = known !== undefined && (keep || known.sources === sources);
    return new ProgressFile(file, sources, counts ? known.done : []);
  }

  isDone(piece: string): boolean {
    return this.pieces.includes(piece);
  }

  /** Keeps that a piece is done. */
  complete(piece: string): void {
    this.pieces.push(piece);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, `${JSON.stringify({ sources: this.sources, done: this.pieces }, null, 2)}\n`);
  }

  /** Forgets all of it, so that the next run is a whole one. */
  clear(): void {
    rmSync(this.file, { force: true });
  }
}
