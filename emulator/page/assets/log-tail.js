const pageOfLines = 300;
/** More would make the page slow. */
const mostLines = 2000;

/** The end of a revision's log, growing. */
export class LogTail {
  lines = [];
  /** Whether there are lines before the first one. */
  hasEarlier = false;
  #started = false;

  /** @param filter - `type`, `level`, `query`; empty for all */
  constructor(plane, deploymentId, revisionId, filter) {
    this.#ask = (query) => plane.log(deploymentId, revisionId, { ...filter, ...query });
  }

  #ask;

  /** Reads what is new; resolves with whether anything is. */
  async read() {
    if (this.#started) return this.#readOn();
    const { logs } = await this.#ask({ order: "desc", limit: pageOfLines });
    this.#started = true;
    this.lines = logs.reverse();
    this.hasEarlier = logs.length === pageOfLines;
    return logs.length > 0;
  }

  async readEarlier() {
    const { logs } = await this.#ask({ order: "desc", limit: pageOfLines, offset: this.lines[0]?.id });
    this.lines = [...logs.reverse(), ...this.lines];
    this.hasEarlier = logs.length === pageOfLines && this.lines.length < mostLines;
  }

  async #readOn() {
    const { logs } = await this.#ask({ order: "asc", limit: 1000, offset: this.lines.at(-1)?.id });
    if (logs.length === 0) return false;
    this.lines = [...this.lines, ...logs];
    if (this.lines.length > mostLines) {
      this.lines = this.lines.slice(-mostLines);
      this.hasEarlier = false;
    }
    return true;
  }
}
