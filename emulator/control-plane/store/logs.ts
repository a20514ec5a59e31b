import type { Clock } from "../../clock";
import type { LogLevel, LogType } from "../../rollout/rollout";
import type { Database } from "../../storage/database";
import { StorageFault } from "../../storage/storage-fault";

/** One log line of a rollout or of a running agent. */
export interface StoredLogLine {
  sequence: number;
  type: LogType;
  level: LogLevel;
  message: string;
  at: number;
}

/** Filter for a log. */
export interface LogFilter {
  type?: string;
  level?: string;
  query?: string;
  /** Includes only lines that contain the ID of this run. */
  runId?: string;
  /** First and last time of the lines to include, inclusive. */
  from?: number;
  to?: number;
}

/** Owner of log lines: a revision, or a deployment with all of its revisions. */
export type LogOwner = { revisionId: string } | { deploymentId: string };

/** Maximum number of lines to keep per revision. The oldest lines are deleted. */
const linesKept = 5000;
/** Number of lines to write together, because each write to disk is expensive. */
const linesTogether = 64;
const delayMs = 100;
/**
 * Maximum number of lines to keep in memory while the database is not writable, and the retry interval in milliseconds.
 */
const linesHeld = 5000;
const retryMs = 1000;

interface PendingLine {
  revisionId: string;
  type: LogType;
  level: LogLevel;
  message: string;
  at: number;
}

/** Access to the table of log lines. */
export class Logs {
  #pending: PendingLine[] = [];
  #takeBack: (() => void) | undefined;
  /** True if the last lines could not be written. */
  #held = false;

  /** @param reportError - Called with the reason when lines cannot be written and have to be kept in memory instead. */
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly reportError: (error: unknown) => void,
  ) {}

  append(revisionId: string, type: LogType, level: LogLevel, message: string): void {
    this.#pending.push({ revisionId, type, level, message, at: this.clock.now() });
    if (this.#held) this.#pending.splice(0, this.#pending.length - linesHeld);
    else if (this.#pending.length >= linesTogether) this.flush();
    else this.#takeBack ??= this.clock.after(delayMs, () => this.flush());
  }

  /** Returns the lines that follow the sequence number `after`, in order. */
  page(
    owner: LogOwner,
    filter: LogFilter,
    order: "asc" | "desc",
    limit: number,
    after: number | undefined,
  ): StoredLogLine[] {
    this.flush();
    const beyond = order === "asc" ? "sequence > ?" : "sequence < ?";
    const start = after ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER);
    const conditions: [string, string | number | undefined][] = [
      ["type = ?", filter.type],
      ["level = ?", filter.level],
      ["instr(lower(message), lower(?)) > 0", filter.query],
      ["instr(message, ?) > 0", filter.runId],
      ["at >= ?", filter.from],
      ["at <= ?", filter.to],
    ];
    const asked = conditions.filter(([, value]) => value !== undefined);
    const [whose, id] =
      "revisionId" in owner
        ? ["revision_id = ?", owner.revisionId]
        : ["revision_id IN (SELECT id FROM revisions WHERE deployment_id = ?)", owner.deploymentId];
    return this.database.all<StoredLogLine>(
      `SELECT sequence, type, level, message, at FROM logs WHERE ${whose} AND ${beyond}
       ${asked.map(([condition]) => `AND ${condition}`).join(" ")} ORDER BY sequence ${order} LIMIT ?`,
      id,
      start,
      ...asked.map(([, value]) => value!),
      limit,
    );
  }

  /** Writes the pending lines. Lines that cannot be written stay pending. */
  flush(): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    const lines = this.#pending;
    if (lines.length === 0) return;
    try {
      this.database.transaction(() => this.#write(lines));
      this.#pending = [];
      this.#held = false;
    } catch (error) {
      if (!(error instanceof StorageFault)) throw error;
      if (!this.#held) this.reportError(error);
      this.#held = true;
      this.#takeBack = this.clock.after(retryMs, () => this.flush());
    }
  }

  close(): void {
    this.flush();
    this.#takeBack?.();
  }

  #write(lines: readonly PendingLine[]): void {
    for (const line of lines)
      // The revision may have been deleted, so a failure to store its last lines is ignored.
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
  }
}
