import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { LogType } from "../../provider/control-plane/client/revisions";
import type { Clock } from "../../provider/clock";
import { AgentServerError } from "../../provider/errors";
import { redactLine } from "../../provider/text/redact";
import type { RevisionRecord } from "../../wire";
import { LogReader } from "../logs/log-reader";

/** Intervals between reads of the logs, in milliseconds: during a rollout, and at other times. */
const [rolloutPollMs, idlePollMs] = [250, 1_000];

/** Values that are required to read and print the logs. */
export interface RevisionLogsDeps {
  client: ControlPlaneClient;
  clock: Clock;
  /** Name of the deployment. */
  name: string;
  /** Removes secrets from a line. */
  redact: (text: string) => string;
  print: (text: string) => Promise<void>;
  signal: AbortSignal;
}

/** A revision whose logs are printed. */
interface Followed {
  readers: LogReader[];
  status: string;
}

/**
 * Prints the statuses and the logs of a deployment's revisions while they are being rolled out, and the log of the
 * agent that serves requests.
 */
export class RevisionLogs {
  /** Revisions whose logs are followed, keyed by ID, oldest first. */
  private readonly followed = new Map<string, Followed>();
  private deploymentId: string | undefined;
  private isRollingOut = false;
  private reading: Promise<void> = Promise.resolve();
  private wake = new AbortController();

  constructor(private readonly deps: RevisionLogsDeps) {}

  /** Reads the logs until the signal aborts, and then rejects with the signal's reason. */
  async follow(): Promise<never> {
    const { clock, signal } = this.deps;
    for (;;) {
      await this.readNow();
      const pause = AbortSignal.any([signal, this.wake.signal]);
      await clock.sleep(this.isRollingOut ? rolloutPollMs : idlePollMs, pause).catch(() => undefined);
      signal.throwIfAborted();
    }
  }

  /** Sets the frequency at which the logs are read. They are read more frequently during a rollout. */
  setRollingOut(isRollingOut: boolean): void {
    this.isRollingOut = isRollingOut;
    this.wake.abort();
    this.wake = new AbortController();
  }

  /** Prints all new lines of the logs. */
  readNow(): Promise<void> {
    return (this.reading = this.reading.then(() => this.read()));
  }

  private async read(): Promise<void> {
    const { client, name, signal } = this.deps;
    try {
      this.deploymentId ??= (await client.deployments.findByName(name, signal))[0]?.id;
      if (this.deploymentId === undefined) return;
      const [newest, ...older] = await client.revisions.list(this.deploymentId, signal);
      const seen = older.findIndex(({ id }) => this.followed.has(id));
      const revisions = newest ? [newest, ...older.slice(0, seen + 1)] : [];
      for (const revision of revisions.reverse()) await this.readRevision(this.deploymentId, revision);
      const serving = revisions.findLast(({ status }) => status === "DEPLOYED")?.id;
      for (const id of [...this.followed.keys()])
        if (id !== newest?.id && (serving === undefined || id !== serving)) this.followed.delete(id);
    } catch (error) {
      signal.throwIfAborted();
      // The next read may succeed.
      if (!AgentServerError.is(error)) throw error;
    }
  }

  private async readRevision(deploymentId: string, { id, status }: RevisionRecord): Promise<void> {
    const { client, print, signal } = this.deps;
    const reader = (type: LogType) =>
      new LogReader({ client, deploymentId, revisionId: id, type, level: "info", signal });
    const followed = this.followed.get(id) ?? { readers: [reader("build"), reader("deploy")], status: "" };
    this.followed.set(id, followed);
    for (const one of followed.readers) await this.printNewLines(one);
    if (status === followed.status) return;
    followed.status = status;
    await print(`Revision ${id.slice(0, 8)}: ${status}\n`);
  }

  private async printNewLines(reader: LogReader): Promise<void> {
    const { print, redact } = this.deps;
    for await (const page of reader.more())
      for (const { level, message } of page) {
        const mark = level && !/^info$/i.test(level) ? `${level.toLowerCase()}: ` : "";
        const lines = redactLine(message.trimEnd(), redact).replaceAll(/\r?\n/g, "\n  ");
        await print(`  ${mark}${lines}\n`);
      }
  }
}
