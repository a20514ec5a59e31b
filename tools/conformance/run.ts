import { randomBytes } from "node:crypto";
import type { Clock } from "../../provider/clock";
import type { Assumption, DeploymentAssumption, Outcome, Probe, Stage } from "./assumption";
import { Deployments, type Subject } from "./deployments";
import { Journal } from "./journal";
import { textAt } from "./json";
import { Redaction } from "./redaction";
import { type Connection, type Exchange, Requests } from "./requests";
import { creationBody, type SourceName, type SourceSettings } from "./settings";

/** Maximum time for deleting deployments after an interruption, in milliseconds. */
const removalMs = 300_000;

/** Options of a run. */
export interface RunOptions {
  connection: Connection;
  settings: SourceSettings;
  sources: readonly SourceName[];
  assumptions: readonly Assumption[];
  journalFile: string;
  clock: Clock;
  signal: AbortSignal;
  /** Maximum time for a rollout, in milliseconds. */
  rolloutMs: number;
  /** Interval at which a rollout is polled, in milliseconds. */
  pollMs: number;
  /** Called with each step. */
  onStep?: (text: string) => void;
}

/** Assumption with its outcome and the requests that led to it. */
export interface Result {
  assumption: Assumption;
  /** Source of the deployment; undefined if the assumption is not about a deployment. */
  source?: SourceName;
  outcome: Outcome;
  exchanges: readonly Exchange[];
}

/** Results of a run. */
export interface RunResults {
  results: readonly Result[];
  /** Names of deployments that could not be deleted. */
  left: readonly string[];
  /** Rate limit headers of responses, with their first values. */
  rateLimits: Readonly<Record<string, string>>;
  /** Reason that the run ended early. */
  interrupted?: string;
}

/**
 * Creates one deployment per source, probes the assumptions in the order of their stages, and deletes the deployments.
 * Also deletes them after an error or an interruption, and then resolves with the results so far.
 */
export async function runConformance(options: RunOptions): Promise<RunResults> {
  const { connection, journalFile, clock, signal, onStep = () => {} } = options;
  const redaction = new Redaction();
  redaction.hide(connection.apiKey);
  redaction.hide(connection.tenantId, "<workspace>");
  const requests = new Requests(connection, redaction, signal);
  const journal = new Journal(journalFile);
  const run = new Run(options, requests, new Deployments(requests, journal, clock, signal));
  let interrupted: string | undefined;
  try {
    await run.all();
  } catch (error) {
    interrupted = redaction.text(error instanceof Error ? error.message : String(error));
  }
  onStep("deleting the deployments");
  const withoutInterruption = AbortSignal.timeout(removalMs);
  const left = await new Deployments(
    requests.withSignal(withoutInterruption),
    journal,
    clock,
    withoutInterruption,
  ).removeAll();
  return {
    results: run.results,
    left,
    rateLimits: rateLimitsIn(requests.exchanges),
    ...(interrupted !== undefined && { interrupted }),
  };
}

/**
 * Deletes the deployments that remain from an earlier run with this connection. Returns the names of those that could
 * not be deleted.
 */
export async function removeLeftovers({
  connection,
  journalFile,
  clock,
  signal,
}: Pick<RunOptions, "connection" | "journalFile" | "clock" | "signal">): Promise<string[]> {
  const requests = new Requests(connection, new Redaction(), signal);
  return new Deployments(requests, new Journal(journalFile), clock, signal).removeAll();
}

class Run {
  readonly results: Result[] = [];
  private readonly probe: Probe;

  constructor(
    private readonly options: RunOptions,
    private readonly requests: Requests,
    private readonly deployments: Deployments,
  ) {
    this.probe = { dialect: options.connection.dialect, requests, deployments };
  }

  async all(): Promise<void> {
    this.step("access");
    for (const assumption of this.applicable("access"))
      if (assumption.stage === "access")
        await this.record(assumption, undefined, () => assumption.probe(this.probe));
    const subjects: Subject[] = [];
    for (const source of this.options.sources) {
      this.step(`creating a deployment with the source ${source}`);
      const subject = await this.create(source);
      if (!subject) continue;
      subjects.push(subject);
      await this.stage("created", subject);
    }
    this.step("waiting for the rollouts");
    const { rolloutMs, pollMs } = this.options;
    const rollouts = await Promise.all(
      subjects.map((subject) => this.deployments.poll(subject, rolloutMs, pollMs)),
    );
    for (const [at, subject] of subjects.entries()) {
      const rollout = rollouts[at];
      if (rollout) subject.rollout = rollout;
      await this.stage("rolled out", subject);
    }
    for (const subject of subjects) {
      this.step(`changing the deployment with the source ${subject.source}`);
      await this.stage("changed", subject);
    }
    for (const subject of subjects) {
      this.step(`deleting the deployment with the source ${subject.source}`);
      subject.deletion = await this.deployments.delete(subject.id);
      await this.stage("deleted", subject);
    }
  }

  private async create(source: SourceName): Promise<Subject | undefined> {
    const name = this.deployments.newName();
    const secret = `conformance-${randomBytes(12).toString("hex")}`;
    this.requests.redaction.hide(secret);
    const sent = creationBody(source, { name, secret, dialect: this.probe.dialect }, this.options.settings);
    const creation = await this.deployments.create(name, sent);
    const id = textAt(creation.body, "id");
    if (creation.status < 300 && id !== undefined)
      return { source, name, id, path: `/v2/deployments/${id}`, sent, creation, secret };
    const observed = `the deployment was not created: status ${creation.status}`;
    for (const stage of ["created", "rolled out", "changed", "deleted"] as const)
      for (const assumption of this.applicableTo(source, stage))
        this.results.push({
          assumption,
          source,
          outcome: { verdict: assumption.id === "creation.answer" ? "refuted" : "not determined", observed },
          exchanges: [creation.exchange],
        });
    return undefined;
  }

  private async stage(stage: DeploymentAssumption["stage"], subject: Subject): Promise<void> {
    for (const assumption of this.applicableTo(subject.source, stage))
      await this.record(assumption, subject.source, () => assumption.probe(this.probe, subject));
  }

  private async record(
    assumption: Assumption,
    source: SourceName | undefined,
    probe: () => Outcome | Promise<Outcome>,
  ): Promise<void> {
    const first = this.requests.exchanges.length;
    let outcome: Outcome;
    try {
      outcome = await probe();
    } catch (error) {
      this.options.signal.throwIfAborted();
      const observed = this.requests.redaction.text(error instanceof Error ? error.message : String(error));
      outcome = { verdict: "not determined", observed };
    }
    const own = this.requests.exchanges.slice(first);
    const earlier = (outcome.evidence ?? []).filter((exchange) => !own.includes(exchange));
    this.results.push({
      assumption,
      ...(source !== undefined && { source }),
      outcome,
      exchanges: [...earlier, ...own],
    });
  }

  private applicable(stage: Stage): Assumption[] {
    const { dialect } = this.probe;
    return this.options.assumptions.filter(
      (one) => one.stage === stage && (one.dialects?.includes(dialect) ?? true),
    );
  }

  private applicableTo(source: SourceName, stage: DeploymentAssumption["stage"]): DeploymentAssumption[] {
    return this.applicable(stage).filter(
      (one): one is DeploymentAssumption => one.stage !== "access" && (one.sources?.includes(source) ?? true),
    );
  }

  private step(text: string): void {
    this.options.onStep?.(text);
  }
}

function rateLimitsIn(exchanges: readonly Exchange[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { headers } of exchanges)
    for (const [name, value] of Object.entries(headers))
      if (/rate-?limit|retry-after/i.test(name)) found[name] ??= value;
  return found;
}
