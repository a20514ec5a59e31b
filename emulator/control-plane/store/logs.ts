import type { Clock } from "../../clock";
import type { LogLevel, LogType } from "../../rollout/rollout";
import type { Database } from "./database";

/** One line of a rollout or of a running agent. */
export interface StoredLogLine {
  sequence: number;
  type: LogType;
  level: LogLevel;
  message: string;
  at: number;
}

/** What a log is narrowed to. */
export interface LogFilter {
  type?: string;
  level?: string;
  query?: string;
}

/** Lines kept of one revision; a talkative agent loses its oldest ones. */
const linesKept = 5000;
/** Lines are written together: each write to disk costs more than the line is worth. */
const linesTogether = 64;
const delayMs = 100;

interface PendingLine {
  revisionId: string;
  type: LogType;
  level: LogLevel;
  message: string;
  at: number;
}

/** The table of log lines. */
export class Logs {
  #pending: PendingLine[] = [];
  #takeBack: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  append(revisionId: string, type: LogType, level: LogLevel, message: string): void {
    this.#pending.push({ revisionId, type, level, message, at: this.clock.now() });
    if (this.#pending.length >= linesTogether) this.flush();
    else this.#takeBack ??= this.clock.after(delayMs, () => this.flush());
  }

  /** Lines in order, from behind `after` (a line's sequence) on. */
  page(
    revisionId: string,
    filter: LogFilter,
    order: "asc" | "desc",
    limit: number,
    after: number | undefined,
  ): StoredLogLine[] {
    this.flush();
    const beyond = order === "asc" ? "sequence > ?" : "sequence < ?";
    const start = after ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER);
    return this.database.all<StoredLogLine>(
      `SELECT sequence, type, level, message, at FROM logs WHERE revision_id = ? AND ${beyond}
       AND (? IS NULL OR type = ?) AND (? IS NULL OR level = ?) AND (? IS NULL OR instr(lower(message), lower(?)) > 0)
       ORDER BY sequence ${order} LIMIT ?`,
      revisionId,
      start,
      filter.type ?? null,
      filter.type ?? null,
      filter.level ?? null,
      filter.level ?? null,
      filter.query ?? null,
      filter.query ?? null,
      limit,
    );
  }

  flush(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    const lines = this.#pending;
    if (lines.length === 0) return;
    this.#pending = [];
    this.database.transaction(() => {
      for (const line of lines)
        // The revision may be gone by now: its last words are not worth an error.
        this.database.run(
          "INSERT INTO logs (revision_id, type, level, message, at) SELECT id, ?, ?, ?, ? FROM revisions WHERE id = ?",
          line.type,
          line.level,
          line.message,
          line.at,
          line.revisionId,
        );
      for (const revisionId of new Set(lines.map((line) => line.revisionId)))
        this.database.run(
          `DELETE FROM logs WHERE revision_id = ? AND sequence <=
           (SELECT sequence FROM logs WHERE revision_id = ? ORDER BY sequence DESC LIMIT 1 OFFSET ?)`,
          revisionId,
          revisionId,
          linesKept,
        );
    });
  }
}
