import type { Plane } from "./plane";
import type { JournalEntry } from "./types";

const mostEntries = 300;

/** Latest requests of the journal, updated incrementally. */
export class JournalTail {
  entries: JournalEntry[] = [];

  constructor(
    private readonly plane: Plane,
    private readonly filter: { writes: string; path: string },
  ) {}

  /** Reads new entries, and starts over if the journal was cleared. */
  async read(): Promise<void> {
    const last = this.entries.at(-1);
    // Requests the last known entry again. If it no longer exists, all earlier entries are gone, too.
    const { entries } = await this.#ask(last ? last.sequence - 1 : undefined);
    const [first] = entries;
    if (last && (first?.sequence !== last.sequence || first.time !== last.time))
      this.entries = (await this.#ask(undefined)).entries;
    else this.entries = [...this.entries, ...entries.slice(last ? 1 : 0)];
    this.entries = this.entries.slice(-mostEntries);
  }

  #ask(after: number | undefined) {
    return this.plane.journal({ ...this.filter, after });
  }
}
