import { revisionPhase } from "../../provider/control-plane/dialects";
import type { RevisionLogEntry, RevisionRecord } from "../../wire";
import { redactLine, redactor } from "../../provider/text/redact";
import { type CommandProcess, exitCodes } from "../command-process";
import { type ConnectionFlags, type ControlPlaneAccess, withControlPlane } from "../connection";
import { findDeployment } from "../deployment-lookup";
import { orInPassing } from "../passing-failure";
import { printable } from "../printable";
import { logsExitCodes } from "./exit-codes";
import { logLine } from "./log-line";
import { LogReader, type LogSource } from "./log-reader";
import { findRevision } from "./revision-lookup";

/** Pause between two looks while a log is followed, in milliseconds. */
const lookMs = 2_000;

export interface LogsOptions extends ConnectionFlags {
  /** A revision's id or its beginning. @default the newest one */
  revision?: string;
  /** The build log in place of the runtime log. */
  build?: boolean;
  /** Goes on: with the build log until the revision settles, with the runtime log until Ctrl-C. */
  follow?: boolean;
  /** Only so many of the newest lines. @default all */
  lines?: number;
}

/** Prints the log of a revision; resolves with the exit code. */
export function showLogs(
  surroundings: CommandProcess,
  deployment: string,
  options: LogsOptions,
): Promise<number> {
  return withControlPlane(surroundings, options, async (access) => {
    const { signal, stderr } = surroundings;
    const { client } = access;
    const record = await findDeployment(client, deployment, signal);
    const revision = await findRevision(client, record, options.revision, signal);
    const kind = options.build ? "Build log" : "Runtime log";
    const place = `revision ${revision.id} (${revision.status}) of deployment "${record.name ?? record.id}"`;
    await stderr.write(printable(`${kind} of ${place}\n`));
    const redactSecrets = redactor((record.secrets ?? []).flatMap(({ value }) => value ?? []));
    const source: LogSource = {
      client,
      deploymentId: record.id,
      revisionId: revision.id,
      type: options.build ? "build" : "deploy",
      signal,
    };
    const log = new PrintedLog(surroundings, source, (text) => redactSecrets(access.redact(text)));
    if (options.follow) {
      if (!options.build) return log.followForEver(options.lines);
      return log.followToTheEnd(access, options.lines);
    }
    await log.printOnce(options.lines);
    if (log.isEmpty) await stderr.write(`It is empty.${hintFor(revision, options)}\n`);
    return exitCodes.success;
  });
}

/** A log on its way to the reader. */
class PrintedLog {
  isEmpty = true;
  private readonly reader: LogReader;

  constructor(
    private readonly surroundings: CommandProcess,
    private readonly source: LogSource,
    private readonly redact: (text: string) => string,
  ) {
    this.reader = new LogReader(source);
  }

  async printOnce(lines: number | undefined): Promise<void> {
    if (lines !== undefined) await this.print(await this.reader.tail(lines));
    else await this.printNews();
  }

  async followForEver(lines: number | undefined): Promise<never> {
    const { clock, signal } = this.surroundings;
    await this.printSoFar(lines);
    for (;;) {
      await clock.sleep(lookMs, signal);
      await orInPassing(this.printNews(), this.surroundings, this.redact);
    }
  }

  async followToTheEnd({ session }: ControlPlaneAccess, lines: number | undefined): Promise<number> {
    const { clock, signal, stderr } = this.surroundings;
    const dialect = await session.dialect();
    await this.printSoFar(lines);
    for (;;) {
      const status = await orInPassing(this.printNewsAndStatus(), this.surroundings, this.redact);
      const phase = status === undefined ? "progress" : revisionPhase(status, dialect);
      if (phase !== "progress") {
        await stderr.write(printable(`Revision ${this.source.revisionId} is ${status}.\n`));
        return phase === "failed" ? logsExitCodes.rolloutFailed : exitCodes.success;
      }
      await clock.sleep(lookMs, signal);
    }
  }

  private async printNewsAndStatus(): Promise<string> {
    const { client, deploymentId, revisionId, signal } = this.source;
    // The status before the lines: what is said up to the verdict is not to be missed.
    const { status } = await client.revisions.get(deploymentId, revisionId, signal);
    await this.printNews();
    return status;
  }

  /** What is there when following begins. */
  private async printSoFar(lines = Number.POSITIVE_INFINITY): Promise<void> {
    if (lines === Number.POSITIVE_INFINITY) return this.printNews();
    let newest: RevisionLogEntry[] = [];
    for await (const page of this.reader.more()) newest = [...newest, ...page].slice(-lines);
    await this.print(newest);
  }

  private async printNews(): Promise<void> {
    for await (const page of this.reader.more()) await this.print(page);
  }

  private async print(entries: RevisionLogEntry[]): Promise<void> {
    const { stdout } = this.surroundings;
    if (entries.length === 0) return;
    this.isEmpty = false;
    const text = entries
      .map((entry) => logLine({ ...entry, message: redactLine(entry.message, this.redact) }))
      .join("");
    await stdout.write(printable(text));
  }
}

function hintFor({ status }: RevisionRecord, { build }: LogsOptions): string {
  return !build && status.includes("FAILED") ? ` The revision is ${status}: see its --build log.` : "";
}
