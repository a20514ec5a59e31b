import { revisionPhase } from "../../control-plane/dialects";
import type { OtherDeployment } from "../../control-plane/polling/known-rollouts";
import { sourceIdOf, type RolloutTraits } from "../../control-plane/polling/rollout-traits";
import type { DeploymentRecord, RevisionRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import { formatDuration, spent } from "../../text/duration";
import type {
  ControlPlaneOperation,
  OperationPlane,
  OperationReport,
  OperationTime,
} from "../../resource/operation";
import { isLive } from "../ownership/find-deployment";
import { ExpectedDuration } from "./expected-duration";

/** Pause between checks that the deployment still exists, in milliseconds. */
const existenceCheckMs = 30_000;
/** Time after which a wait for a local control plane requests the durations of past rollouts, in milliseconds. */
const localHistoryAfterMs = 8_000;
/**
 * Maximum time from the start of a rollout to the start of a wait, in milliseconds. A wait that starts later does not
 * record the duration of the rollout.
 */
const maxUnobservedMs = 3_000;
/** Maximum age of a rollout, in milliseconds. An earlier reported start is considered to be wrong. */
const maxRolloutMs = 24 * 3_600_000;

/** Maximum time between a status change and the poll that reports it, in milliseconds. */
const latencyMs = 2_000;
/** Known statuses, in the order in which they occur in a rollout. */
const order = [
  "CREATING",
  "CREATE_FAILED",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "BUILD_FAILED",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOY_FAILED",
  "DEPLOYED",
];

/**
 * Minimum length of the time before the first reported status, in milliseconds. A shorter time is not listed as a
 * phase.
 */
const unseenMs = 1_000;

/** A part of a rollout, with its duration in milliseconds. */
interface Phase {
  /** Status during this part; `undefined` before the first status that a poll reported. */
  status?: string;
  /** Next reported status; set only if polls missed a status between the two. */
  until?: string;
  ms: number;
}

/** A status, and the times of the polls around its start. */
interface SeenStatus {
  revision: RevisionRecord;
  /** Time of the first poll that reported the status. */
  at: number;
  /** Time of the last poll before the one that first reported the status. */
  after: number;
}

/** The statuses that polls of a revision have reported. */
export class Phases {
  private readonly seen: SeenStatus[] = [];
  private lastPoll = -Infinity;

  /** Records the revision that a poll returned at this time. */
  record(revision: RevisionRecord, at: number): void {
    if (this.seen.at(-1)?.revision.status !== revision.status)
      this.seen.push({ revision, at, after: this.lastPoll });
    this.lastPoll = at;
  }

  /**
   * Returns all statuses except for the last one, which is final. The duration of each status is the time from the
   * first poll that reported it to the first poll that reported the next one.
   */
  byPolls(): { status: string; ms: number }[] {
    return this.between(this.seen.map(({ at }) => at));
  }

  /**
   * Returns the parts of a rollout up to the last status, which is final. Their durations are measured by the control
   * plane's clock if the control plane reports when it changed the revision, and otherwise by the polls.
   */
  parts(): Phase[] {
    const [first] = this.seen;
    const starts = startsOf(this.seen);
    if (!first || !starts || this.seen.length < 2) return this.between(this.seen.map(({ at }) => at));
    const created = Date.parse(first.revision.created_at ?? "");
    const { status } = first.revision;
    if (status === order[0] && created <= starts[0]!) starts[0] = created;
    const ms = starts[0]! - created;
    return [...(ms >= unseenMs ? [{ until: status, ms }] : []), ...this.between(starts)];
  }

  private between(starts: readonly number[]): (Phase & { status: string })[] {
    return this.seen.slice(0, -1).map(({ revision: { status } }, place) => {
      const next = this.seen[place + 1]!.revision;
      const ms = Math.max(0, starts[place + 1]! - starts[place]!);
      return { status, ms, ...(isSkipped(status, next) && { until: next.status }) };
    });
  }
}

/**
 * Returns the start of each status according to the control plane's clock, which is the time of the last change to the
 * revision before the first poll that reported the status. Returns `undefined` if the control plane does not report all
 * of these times, or if no difference between the two clocks explains them.
 */
function startsOf(seen: readonly SeenStatus[]): number[] | undefined {
  const starts = seen.map(({ revision }) => Date.parse(revision.updated_at ?? ""));
  const least = Math.max(...seen.map(({ at }, place) => starts[place]! - at));
  const most = Math.min(...seen.map(({ after }, place) => starts[place]! - after));
  return least <= most + latencyMs ? starts : undefined;
}

/**
 * True if a rollout normally has another status between these two: `DEPLOYING` or, unless an image is deployed,
 * `BUILDING`.
 */
function isSkipped(
  status: string,
  { status: next, source_revision_config: source }: RevisionRecord,
): boolean {
  const isImage = source?.image_uri != null && source.repo_ref == null && source.source_tarball_path == null;
  const [from, to] = [order.indexOf(status), order.indexOf(next)];
  return (isImage ? ["DEPLOYING"] : ["BUILDING", "DEPLOYING"])
    .map((between) => order.indexOf(between))
    .some((between) => from >= 0 && from < between && between < to);
}

/** Formats phases, for example `CREATING 3s, BUILDING until DEPLOYED 1m10s`. */
export function phasesText(phases: readonly Phase[]): string {
  return phases
    .map(({ status, until, ms }) =>
      [status, until && `until ${until}`, formatDuration(ms)].filter((part) => part !== undefined).join(" "),
    )
    .join(", ");
}

export interface Wait {
  time: OperationTime;
  report: Pick<OperationReport, "status">;
  plane: Pick<OperationPlane, "client" | "dialect" | "polling">;
  deploymentId: string;
  revisionId: string;
  /** True if this is the first rollout of the deployment. */
  isFirst: boolean;
  /** Properties that determine which other rollouts have comparable durations; none by default. */
  traits?: RolloutTraits;
  /** Returns the deployments in the workspace. */
  deployments: () => Promise<readonly OtherDeployment[]>;
  /** Resolves with true if the deployment was deleted, so that the rollout will not finish. */
  isGone: () => Promise<boolean>;
}

/** Result of waiting for one revision. */
export interface Settlement {
  outcome: "deployed" | "failed" | "superseded" | "timeout" | "gone";
  /** The revision as last read; `undefined` if it could never be read. */
  revision?: RevisionRecord;
  elapsedMs: number;
  /** Phases of the rollout; omitted if the wait ended before the rollout. */
  phases?: Phase[];
  /** Error of the last poll, if it failed. */
  lastError?: AgentServerError;
}

/**
 * Waits for a revision until the operation's deadline, and logs the duration of each phase.
 * @param isFirst true if this is the first rollout of the deployment
 * @param traits properties that determine which other rollouts have comparable durations
 */
export async function settleRevision(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  isFirst = false,
  traits: RolloutTraits = {},
): Promise<Settlement> {
  const isGone = async () => !(await isLive(op, deploymentId));
  const deployments = async () => (await op.plane.deploymentsAtStart()).map(otherDeployment);
  const settlement = await settle({ ...op, deploymentId, revisionId, isFirst, traits, deployments, isGone });
  const { revision, phases = [] } = settlement;
  if (revision && phases.length > 0) {
    const totalMs = phases.reduce((sum, { ms }) => sum + ms, 0);
    op.report.log(
      "info",
      `${revision.status} after ${formatDuration(totalMs)} (${phasesText(phases)}), revision ${revision.id}`,
    );
  }
  return settlement;
}

function otherDeployment({ id, source_config: config, source_revision_config: revision }: DeploymentRecord) {
  const imageUri = revision?.repo_ref == null ? revision?.image_uri : undefined;
  const graphConfigPath = revision?.graph_config_path ?? revision?.langgraph_config_path;
  return { id, sourceId: sourceIdOf({ repoUrl: config?.repo_url, imageUri, graphConfigPath }) };
}

/**
 * Polls this revision until its status is final, its deployment no longer exists, or the timeout expires. A failed poll
 * does not end the wait, unless the credentials are rejected.
 */
export function settle(wait: Wait): Promise<Settlement> {
  // A wait for an ID that cannot be requested would never end.
  wait.plane.client.revisions.path(wait.deploymentId, wait.revisionId);
  return new RevisionWait(wait).run();
}

/** A wait for one revision, while it is in progress. */
class RevisionWait {
  private readonly startedAt: number;
  private readonly passed = new Phases();
  private revision?: RevisionRecord;
  private lastError?: AgentServerError;
  private existedAt: number;
  private expectation?: ExpectedDuration;
  private hasRequestedHistory = false;
  private polls = 0;

  constructor(private readonly wait: Wait) {
    this.startedAt = this.existedAt = wait.time.clock.now();
  }

  async run(): Promise<Settlement> {
    const { deploymentId, revisionId, plane, time } = this.wait;
    const { clock, deadline, signal } = time;
    const waiting = plane.polling.scheduler.join({
      deploymentId,
      revisionId,
      deadline: deadline.at,
      signal,
      nextPoll: () => Math.min(deadline.at, this.expected().nextPoll(clock.now())),
      onUnchanged: () => {
        this.expected().observe(this.revision?.status, clock.now());
        this.show();
      },
    });
    if (waiting.usesList) await waiting.turn();
    for (;;) {
      const settlement = await this.pollOnce();
      if (settlement) return settlement;
      if (clock.now() >= deadline.at) return this.ended("timeout");
      await this.requestHistory();
      this.show();
      await waiting.turn();
    }
  }

  private async pollOnce(): Promise<Settlement | undefined> {
    const { clock } = this.wait.time;
    this.polls += 1;
    const seen = await pollRevision(this.wait);
    const isRead = !AgentServerError.is(seen);
    this.lastError = isRead ? undefined : seen;
    if (isRead) {
      // If the first poll read the list of deployments, the start of the rollout was unknown until now.
      if (!this.revision) this.expectation = undefined;
      this.revision = seen;
      this.passed.record(seen, clock.now());
    }
    this.expected().observe(isRead ? seen.status : undefined, clock.now());
    const phase = isRead ? revisionPhase(seen.status, this.wait.plane.dialect) : "progress";
    if (this.revision && phase !== "progress") return this.settled(phase);
    if (this.lastError?.isMissing || clock.now() - this.existedAt >= existenceCheckMs) {
      if (await isGone(this.wait)) return this.ended("gone");
      this.existedAt = clock.now();
    }
    return undefined;
  }

  private settled(outcome: "deployed" | "failed" | "superseded"): Settlement {
    const { deploymentId, isFirst, plane } = this.wait;
    const { clock } = this.wait.time;
    const phases = this.passed.parts();
    // The duration is known only if the wait started with the rollout.
    if (outcome === "deployed" && this.rolloutStartedAt() >= this.startedAt - maxUnobservedMs)
      plane.polling.known.add({
        ...this.wait.traits,
        deploymentId,
        isFirst,
        ms: clock.now() - this.rolloutStartedAt(),
        phases: this.begins(),
      });
    return { ...this.ended(outcome), phases };
  }

  private ended(outcome: Settlement["outcome"]): Settlement {
    const { revision, lastError, startedAt } = this;
    return {
      outcome,
      ...(revision && { revision }),
      ...(lastError && { lastError }),
      elapsedMs: this.wait.time.clock.now() - startedAt,
    };
  }

  private expected(): ExpectedDuration {
    const { deploymentId, isFirst, traits, plane } = this.wait;
    const { isLocal, known } = plane.polling;
    const awaited = { ...traits, deploymentId, isFirst, isLocal, startedAt: this.rolloutStartedAt() };
    return (this.expectation ??= new ExpectedDuration(known, awaited));
  }

  /**
   * Returns the start of the rollout according to the local clock. If the reported time is impossible, for example
   * because a clock is wrong, returns the start of the wait.
   */
  private rolloutStartedAt(): number {
    const created =
      Date.parse(this.revision?.created_at ?? "") - (this.wait.plane.polling.clockDifferenceMs() ?? 0);
    const isPossible = created <= this.startedAt && created > this.startedAt - maxRolloutMs;
    return isPossible ? created : this.startedAt;
  }

  /**
   * Returns the time from the start of the rollout to the first poll that reported each later status, in milliseconds.
   */
  private begins() {
    let afterMs = this.startedAt - this.rolloutStartedAt();
    return this.passed.byPolls().flatMap(({ ms }, place, phases) => {
      afterMs += ms;
      const next = phases[place + 1];
      return next ? [{ status: next.status, afterMs }] : [];
    });
  }

  /**
   * Requests the durations of past rollouts once. If the control plane is on this machine, does so only after a time
   * within which most rollouts finish.
   */
  private async requestHistory(): Promise<void> {
    const { deploymentId, deployments, isFirst, plane, revisionId, time } = this.wait;
    const { clock, signal } = time;
    const { clientWithoutRetries, isLocal, known } = plane.polling;
    const askAfterMs = isLocal ? localHistoryAfterMs : 0;
    if (this.hasRequestedHistory || clock.now() - this.startedAt < askAfterMs) return;
    this.hasRequestedHistory = true;
    const awaited = { deploymentId, revisionId, isFirst, signal };
    await known.requestHistory(clientWithoutRetries(), awaited, deployments);
  }

  private show(): void {
    const { report, time } = this.wait;
    const { lastError, polls, revision } = this;
    const now = time.clock.now();
    const words = this.expected().text(now);
    report.status.show(
      lastError
        ? `cannot be read (${lastError.facts.status ?? lastError.code})`
        : (revision?.status ?? "not seen yet"),
      words
        ? `${formatDuration(now - this.rolloutStartedAt())}, ${words}`
        : `${spent(now - this.startedAt, time.deadline.totalMs)}, poll ${polls}`,
    );
  }
}

async function pollRevision({
  deploymentId,
  plane,
  revisionId,
  time,
}: Wait): Promise<RevisionRecord | AgentServerError> {
  try {
    return await plane.client.revisions.get(deploymentId, revisionId, time.signal, true);
  } catch (error) {
    return transientError(error);
  }
}

async function isGone(wait: Wait): Promise<boolean> {
  try {
    return await wait.isGone();
  } catch (error) {
    transientError(error);
    return false;
  }
}

/**
 * Returns the error if the next poll may succeed.
 * @throws any other error
 */
function transientError(error: unknown): AgentServerError {
  if (!AgentServerError.is(error) || error.isDenied) throw error;
  return error;
}
