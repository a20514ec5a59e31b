const pageOfLines = 300;
/** Maximum number of lines: more would make the page slow. */
const mostLines = 2000;

const levels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];

/** End of a revision's log, updated incrementally. */
export class LogTail {
  lines = [];
  /** True if there are lines before the first one. */
  hasEarlier = false;
  /** True if lines are hidden because of their level. */
  hidesLines = false;
  #started = false;
  #ask;
  #lowest;
  /** Ids of the first and the last line that were read, shown or not. */
  #first;
  #last;

  /** @param filter - `type`, `query`, and `level`, the lowest that is shown; empty for all */
  constructor(plane, deploymentId, revisionId, { level, ...filter }) {
    this.#lowest = Math.max(0, levels.indexOf(level));
    this.#ask = (query) => plane.log(deploymentId, revisionId, { ...filter, ...query });
  }

  /** Reads new lines; resolves with true if there are any. */
  async read() {
    if (this.#started) return this.#readOn();
    const { logs } = await this.#ask({ order: "desc", limit: pageOfLines });
    this.#started = true;
    logs.reverse();
    this.#first = logs[0]?.id;
    this.#last = logs.at(-1)?.id;
    this.lines = this.#shown(logs);
    this.hasEarlier = logs.length === pageOfLines;
    return logs.length > 0;
  }

  async readEarlier() {
    const { logs } = await this.#ask({ order: "desc", limit: pageOfLines, offset: this.#first });
    logs.reverse();
    this.#first = logs[0]?.id ?? this.#first;
    this.lines = [...this.#shown(logs), ...this.lines];
    this.hasEarlier = logs.length === pageOfLines && this.lines.length < mostLines;
  }

  async #readOn() {
    const { logs } = await this.#ask({ order: "asc", limit: 1000, offset: this.#last });
    if (logs.length === 0) return false;
    this.#first ??= logs[0].id;
    this.#last = logs.at(-1).id;
    this.lines = [...this.lines, ...this.#shown(logs)];
    if (this.lines.length > mostLines) {
      this.lines = this.lines.slice(-mostLines);
      this.hasEarlier = false;
    }
    return true;
  }

  /**
   * Returns the lines of at least the chosen level. The public API filters by one exact level, which would hide errors
   * from a reader of information.
   */
  #shown(logs) {
    const shown = logs.filter(({ level }) => levels.indexOf(level) >= this.#lowest);
    this.hidesLines ||= shown.length < logs.length;
    return shown;
  }
}
