const pageOfLines = 300;
/** More would make the page slow. */
const mostLines = 2000;

const levels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];

/** The end of a revision's log, growing. */
export class LogTail {
  lines = [];
  /** True if there are lines before the first one. */
  hasEarlier = false;
  /** True if lines are hidden because of their level. */
  hidesLines = false;
  #started = false;
  #ask;
  #lowest;
  /** Ids of the first and the last line read, shown or not. */
  #first;
  #last;

  /** @param filter - `type`, `query`, and `level`, the lowest that is shown; empty for all */
  constructor(plane, deploymentId, revisionId, { level, ...filter }) {
    this.#lowest = Math.max(0, levels.indexOf(level));
    this.#ask = (query) => plane.log(deploymentId, revisionId, { ...filter, ...query });
  }

  /** Reads what is new; resolves with whether anything is. */
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

  /** The public API narrows to one level exactly; errors must not be hidden from who wants information. */
  #shown(logs) {
    const shown = logs.filter(({ level }) => levels.indexOf(level) >= this.#lowest);
    this.hidesLines ||= shown.length < logs.length;
    return shown;
  }
}
