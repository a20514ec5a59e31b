import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { LogQuery, LogType } from "../../provider/control-plane/client/revisions";
import type { RevisionLogEntry, RevisionLogs } from "../../wire";
import { AgentServerError } from "../../provider/errors";
import { CommandFailure } from "../command-process";
import { hasLevel, type LogLevel } from "./log-level";

/** Exit codes of `agentserver logs` in addition to those of all commands. */
export const logsExitCodes = {
  /** Exit code if the revision failed while the command followed its build log. */
  rolloutFailed: 2,
  /** Exit code if the server does not provide logs. */
  noLogs: 3,
} as const;

/** Number of lines per page: the maximum that servers return. */
const pageSize = 1_000;

/** Log of a revision, with the client that reads it. */
export interface LogSource {
  client: ControlPlaneClient;
  deploymentId: string;
  revisionId: string;
  type: LogType;
  /** Minimum severity of the lines to return; all lines by default. */
  level?: LogLevel;
  signal: AbortSignal;
}

/** Reads a log page by page, oldest line first. Can resume from the last position. */
export class LogReader {
  private offset: string | undefined;
  /** Lines of the last page, which is reread until it is full. */
  private lastPage: RevisionLogEntry[] = [];
  private hasResponded = false;

  constructor(private readonly source: LogSource) {}

  /**
   * Yields pages of lines that have not been read before, up to the current end of the log. @throws CommandFailure if
   * the server does not provide logs
   */
  async *more(): AsyncGenerator<RevisionLogEntry[]> {
    for (;;) {
      const page = await this.page({ order: "asc", limit: pageSize, offset: this.offset });
      const previousIds = new Set(this.lastPage.map(({ id }) => id));
      const isNew = ({ id }: RevisionLogEntry, index: number) =>
        id ? !previousIds.has(id) : index >= this.lastPage.length;
      const fresh = page.logs.filter(isNew);
      const shown = this.shown(fresh);
      if (shown.length > 0) yield shown;
      const next = page.next_offset ?? undefined;
      // A server may always report a next page, or ignore `offset`. In both cases, there are no more lines.
      const isLast = next === undefined || next === this.offset || fresh.length === 0;
      if (isLast) {
        if (fresh.length > 0) this.lastPage = page.logs;
        return;
      }
      this.offset = next;
      this.lastPage = page.logs.every(({ id }) => id) ? page.logs : [];
    }
  }

  /** Returns the newest lines, oldest first. @throws CommandFailure if the server does not provide logs */
  async tail(lines: number): Promise<RevisionLogEntry[]> {
    const newestFirst: RevisionLogEntry[] = [];
    let offset: string | undefined;
    while (newestFirst.length < lines) {
      // If the lines are filtered by level, the number of lines to read is not known in advance.
      const limit = this.source.level ? pageSize : Math.min(pageSize, lines - newestFirst.length);
      const page = await this.page({ order: "desc", limit, offset });
      newestFirst.push(...this.shown(page.logs));
      const next = page.next_offset ?? undefined;
      if (next === undefined || next === offset || page.logs.length === 0) break;
      offset = next;
    }
    return newestFirst.slice(0, lines).reverse();
  }

  private shown(entries: RevisionLogEntry[]): RevisionLogEntry[] {
    const { level } = this.source;
    return level ? entries.filter((entry) => hasLevel(level, entry)) : entries;
  }

  private async page(query: Omit<LogQuery, "type">): Promise<RevisionLogs> {
    const { client, deploymentId, revisionId, type, signal } = this.source;
    const page = await client.revisions.findLogs(deploymentId, revisionId, { type, ...query }, signal);
    if (page) {
      this.hasResponded = true;
      return page;
    }
    if (this.hasResponded)
      throw new AgentServerError(
        "deployment_gone",
        `The log of revision ${revisionId} no longer exists because the revision or its deployment was deleted.`,
        { deploymentId, revisionId },
      );
    throw new CommandFailure(
      `The log is not available because this server does not serve GET …/revisions/{revision_id}/logs. Revision ${revisionId} exists.`,
      logsExitCodes.noLogs,
    );
  }
}
