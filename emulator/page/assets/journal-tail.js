const mostEntries = 300;

/** The latest requests of the journal, growing. */
export class JournalTail {
  entries = [];

  /** @param filter - `writes`, `path` */
  constructor(plane, filter) {
    this.plane = plane;
    this.filter = filter;
  }

  /** Reads what is new, and starts over where the journal was emptied meanwhile. */
  async read() {
    const last = this.entries.at(-1);
    // The last one known is asked for once more: if it is gone, so is all before it.
    const { entries } = await this.#ask(last ? last.sequence - 1 : undefined);
    const [first] = entries;
    if (last && (first?.sequence !== last.sequence || first.time !== last.time))
      this.entries = (await this.#ask(undefined)).entries;
    else this.entries = [...this.entries, ...entries.slice(last ? 1 : 0)];
    this.entries = this.entries.slice(-mostEntries);
  }

  #ask(after) {
    return this.plane.journal({ ...this.filter, after });
  }
}
