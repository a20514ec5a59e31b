import type { LogQuery, Plane } from "./plane";
import type { LogEntry } from "./types";

const pageOfLines = 300;
/** Maximum number of lines, because more lines would make the page slow. */
const mostLines = 2000;

const levels = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];

/** Filter of the lines that are shown. */
export interface LogFilter {
  type: string;
  query: string;
  level: string;
}

/** Latest lines of a revision's log, updated incrementally. */
export class LogTail {
  lines: LogEntry[] = [];
  /** True if there are earlier lines that have not been read. */
  hasEarlier = false;
  /** True if lines are hidden because of their level. */
  hidesLines = false;
  #started = false;
  readonly #ask: (query: LogQuery) => Promise<{ logs: LogEntry[] }>;
  readonly #lowest: number;
  /** IDs of the first and last lines that were read, whether they are shown or not. */
  #first: string | undefined;
  #last: string | undefined;

  /**
   * @param filter - `level` is the lowest level that is shown. An empty value matches everything.
   */
  constructor(plane: Plane, deploymentId: string, revisionId: string, { level, ...filter }: LogFilter) {
    this.#lowest = Math.max(0, levels.indexOf(level));
    this.#ask = (query) => plane.log(deploymentId, revisionId, { ...filter, ...query });
  }

  /** Reads new lines. Resolves with true if there are any. */
  async read(): Promise<boolean> {
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

  async readEarlier(): Promise<void> {
    const { logs } = await this.#ask({ order: "desc", limit: pageOfLines, offset: this.#first });
    logs.reverse();
    this.#first = logs[0]?.id ?? this.#first;
    this.lines = [...this.#shown(logs), ...this.lines];
    this.hasEarlier = logs.length === pageOfLines && this.lines.length < mostLines;
  }

  async #readOn(): Promise<boolean> {
    const { logs } = await this.#ask({ order: "asc", limit: 1000, offset: this.#last });
    if (logs.length === 0) return false;
    this.#first ??= logs[0]!.id;
    this.#last = logs.at(-1)!.id;
    this.lines = [...this.lines, ...this.#shown(logs)];
    if (this.lines.length > mostLines) {
      this.lines = this.lines.slice(-mostLines);
      this.hasEarlier = false;
    }
    return true;
  }

  /**
   * Returns the lines with at least the selected level. The public API can only filter by an exact level, which would
   * hide errors when the user selects the information level.
   */
  #shown(logs: LogEntry[]): LogEntry[] {
    const shown = logs.filter(({ level }) => levels.indexOf(level) >= this.#lowest);
    this.hidesLines ||= shown.length < logs.length;
    return shown;
  }
}
