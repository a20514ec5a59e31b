import { revisionPhase } from "../../provider/control-plane/dialects";
import type { RevisionLogEntry, RevisionRecord } from "../../wire";
import { redactLine, redactor } from "../../provider/text/redact";
import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { findDeployment } from "../deployment-lookup";
import { catchTransient } from "../transient-failure";
import { printable } from "../printable";
import type { LogLevel } from "./log-level";
import { LogReader, logsExitCodes, type LogSource } from "./log-reader";
import { findRevision } from "./revision-lookup";

/** Interval between polls while following a log, in milliseconds. */
const pollMs = 2_000;

export interface LogsOptions extends ConnectionFlags {
  /** ID of a revision, or a prefix of it. @default the newest revision */
  revision?: string;
  /** True for the build log instead of the runtime log. */
  build?: boolean;
  /** True to follow the log: the build log until the rollout finishes, the runtime log until Ctrl-C. */
  follow?: boolean;
  /** Maximum number of lines, counted from the end. @default all */
  lines?: number;
  /** Minimum severity of the lines. @default all lines */
  level?: LogLevel;
}

/** Prints the log of a revision, and resolves with the exit code. */
export function showLogs(context: CommandProcess, deployment: string, options: LogsOptions): Promise<number> {
  return withControlPlane(context, options, async (access) => {
    const { signal, stderr } = context;
    const { client } = access;
    const record = await findDeployment(client, deployment, signal);
    const revision = await findRevision(client, record, options.revision, signal);
    const kind = options.build ? "Build log" : "Runtime log";
    const subject = `revision ${revision.id} (${revision.status}) of deployment "${record.name ?? record.id}"`;
    await stderr.write(printable(`${kind} of ${subject}\n`));
    const redactSecrets = redactor((record.secrets ?? []).flatMap(({ value }) => value ?? []));
    const source: LogSource = {
      client,
      deploymentId: record.id,
      revisionId: revision.id,
      type: options.build ? "build" : "deploy",
      signal,
      ...(options.level && { level: options.level }),
    };
    const log = new LogPrinter(context, source, (text) => redactSecrets(access.redact(text)));
    if (options.follow) {
      if (!options.build) return log.followUntilInterrupted(options.lines);
      return log.followUntilSettled(access, options.lines);
    }
    await log.printOnce(options.lines);
    if (log.isEmpty) await stderr.write(`${emptyLog(options)}${buildLogHint(revision, options)}\n`);
    return exitCodes.success;
  });
}

/** Prints a log and follows it. */
class LogPrinter {
  isEmpty = true;
  private readonly reader: LogReader;

  constructor(
    private readonly context: CommandProcess,
    private readonly source: LogSource,
    private readonly redact: (text: string) => string,
  ) {
    this.reader = new LogReader(source);
  }

  async printOnce(lines: number | undefined): Promise<void> {
    if (lines !== undefined) await this.print(await this.reader.tail(lines));
    else await this.printNewLines();
  }

  async followUntilInterrupted(lines: number | undefined): Promise<never> {
    const { clock, signal } = this.context;
    await this.printExisting(lines);
    for (;;) {
      await clock.sleep(pollMs, signal);
      await catchTransient(this.printNewLines(), this.context, this.redact);
    }
  }

  async followUntilSettled({ session }: ControlPlaneAccess, lines: number | undefined): Promise<number> {
    const { clock, signal, stderr } = this.context;
    const dialect = await session.dialect();
    await this.printExisting(lines);
    for (;;) {
      const status = await catchTransient(this.printNewLinesAndStatus(), this.context, this.redact);
      const phase = status === undefined ? "progress" : revisionPhase(status, dialect);
      if (phase !== "progress") {
        await stderr.write(printable(`Revision ${this.source.revisionId} is ${status}.\n`));
        return phase === "failed" ? logsExitCodes.rolloutFailed : exitCodes.success;
      }
      await clock.sleep(pollMs, signal);
    }
  }

  private async printNewLinesAndStatus(): Promise<string> {
    const { client, deploymentId, revisionId, signal } = this.source;
    // The status is read first, so that no lines before the final status are missed.
    const { status } = await client.revisions.get(deploymentId, revisionId, signal);
    await this.printNewLines();
    return status;
  }

  /** Prints the existing lines, or only the newest ones if their number is specified. */
  private async printExisting(lines = Number.POSITIVE_INFINITY): Promise<void> {
    if (lines === Number.POSITIVE_INFINITY) return this.printNewLines();
    let newest: RevisionLogEntry[] = [];
    for await (const page of this.reader.more()) newest = [...newest, ...page].slice(-lines);
    await this.print(newest);
  }

  private async printNewLines(): Promise<void> {
    for await (const page of this.reader.more()) await this.print(page);
  }

  private async print(entries: RevisionLogEntry[]): Promise<void> {
    const { stdout } = this.context;
    if (entries.length === 0) return;
    this.isEmpty = false;
    const text = entries
      .map((entry) => formatLine({ ...entry, message: redactLine(entry.message, this.redact) }))
      .join("");
    await stdout.write(printable(text));
  }
}

function emptyLog({ level }: LogsOptions): string {
  return level ? `The log has no lines of level ${level} or above.` : "The log is empty.";
}

function buildLogHint({ status }: RevisionRecord, { build }: LogsOptions): string {
  return !build && status.includes("FAILED")
    ? ` The revision is ${status}: read its build log with --build.`
    : "";
}

/** Formats an entry as time (UTC), level, and message. Continuation lines are indented. */
function formatLine({ timestamp, level, message }: RevisionLogEntry): string {
  const text = message.replace(/\r?\n$/, "").replace(/\r?\n/g, "\n  ");
  return `${formatTime(timestamp)} ${(level ?? "").padEnd(7)} ${text}\n`;
}

/** Converts a timestamp, either in ISO 8601 format or in milliseconds since 1970, to ISO 8601 format in UTC. */
function formatTime(timestamp: RevisionLogEntry["timestamp"]): string {
  if (timestamp === null || timestamp === undefined) return "-";
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? String(timestamp) : time.toISOString();
}
