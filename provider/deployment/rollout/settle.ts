import { revisionPath } from "../../control-plane/paths";
import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../../wire";
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
const presenceMs = 30_000;
/** Time after which the durations of earlier rollouts are requested for a local rollout, in milliseconds. */
const askLocallyAfterMs = 8_000;
/** Maximum delay of a wait that still counts as having observed the whole rollout, in milliseconds. */
const whollySeenMs = 3_000;
/** Maximum age of a rollout, in milliseconds. */
const longestRolloutMs = 24 * 3_600_000;

/** A status of a rollout, with the time for which it was reported, in milliseconds. */
interface Phase {
  status: string;
  ms: number;
}

/** The statuses that polls of a revision have reported. */
export class Phases {
  private readonly seen: { status: string; at: number }[] = [];

  /** Records a poll. */
  see(status: string, at: number): void {
    if (this.seen.at(-1)?.status !== status) this.seen.push({ status, at });
  }

  /** Returns all but the last one, which is final. */
  until(end: number): Phase[] {
    return this.seen
      .slice(0, -1)
      .map(({ status, at }, place) => ({ status, ms: (this.seen[place + 1]?.at ?? end) - at }));
  }
}

/** Formats phases: `CREATING 3s, BUILDING 1m10s`. */
export function phasesInWords(phases: readonly Phase[]): string {
  return phases.map(({ status, ms }) => `${status} ${formatDuration(ms)}`).join(", ");
}

export interface Wait {
  time: OperationTime;
  report: Pick<OperationReport, "status">;
  plane: Pick<OperationPlane, "client" | "dialect" | "polling">;
  deploymentId: string;
  revisionId: string;
  /** True if it is the first rollout of its deployment. */
  isFirst: boolean;
  /** The ids of other deployments of the workspace. */
  deployments: () => Promise<readonly string[]>;
  /** Resolves with true if the deployment was deleted, so that its revision will not settle. */
  isGone: () => Promise<boolean>;
}

/** Result of a wait for one revision. */
export interface Settlement {
  outcome: "deployed" | "failed" | "superseded" | "timeout" | "gone";
  /** The revision as last read; `undefined` if it could never be read. */
  revision?: RevisionRecord;
  elapsedMs: number;
  /** Its earlier statuses. */
  phases?: Phase[];
  /** Error of the last poll, if it failed. */
  lastError?: AgentServerError;
}

/**
 * Waits for a revision until the operation's deadline, and logs the duration of each phase.
 * @param isFirst true if it is the first rollout of its deployment
 */
export async function settleRevision(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  isFirst = false,
): Promise<Settlement> {
  const isGone = async () => !(await isLive(op, deploymentId));
  const deployments = async () => (await op.plane.deploymentsAtStart()).map(({ id }) => id);
  const settlement = await settle({ ...op, deploymentId, revisionId, isFirst, deployments, isGone });
  const { revision, elapsedMs, phases = [] } = settlement;
  if (revision && phases.length > 0)
    op.report.log(
      "info",
      `${revision.status} after ${formatDuration(elapsedMs)} (${phasesInWords(phases)}), revision ${revision.id}`,
    );
  return settlement;
}

/**
 * Polls this revision until its status is final, its deployment is gone, or the timeout expires. A poll that fails does
 * not end the wait, unless the credentials are refused.
 */
export function settle(wait: Wait): Promise<Settlement> {
  // A wait for an id that cannot be requested would never end.
  revisionPath(wait.deploymentId, wait.revisionId);
  return new Settling(wait).run();
}

/** One wait in progress. */
class Settling {
  private readonly startedAt: number;
  private readonly passed = new Phases();
  private revision?: RevisionRecord;
  private lastError?: AgentServerError;
  private presentAt: number;
  private outlook?: ExpectedDuration;
  private hasAsked = false;
  private looks = 0;

  constructor(private readonly wait: Wait) {
    this.startedAt = this.presentAt = wait.time.clock.now();
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
    if (waiting.isCrowded) await waiting.turn();
    for (;;) {
      const settlement = await this.pollOnce();
      if (settlement) return settlement;
      if (clock.now() >= deadline.at) return this.ended("timeout");
      await this.askForThePast();
      this.show();
      await waiting.turn();
    }
  }

  private async pollOnce(): Promise<Settlement | undefined> {
    const { clock } = this.wait.time;
    this.looks += 1;
    const seen = await look(this.wait);
    const isRead = !AgentServerError.is(seen);
    this.lastError = isRead ? undefined : seen;
    if (isRead) {
      // A wait that started with the list did not know the start of the rollout.
      if (!this.revision) this.outlook = undefined;
      this.revision = seen;
      this.passed.see(seen.status, clock.now());
    }
    this.expected().observe(isRead ? seen.status : undefined, clock.now());
    const phase = isRead ? revisionPhase(seen.status, this.wait.plane.dialect) : "progress";
    if (this.revision && phase !== "progress") return this.settled(phase);
    if (this.lastError?.isMissing || clock.now() - this.presentAt >= presenceMs) {
      if (await isGone(this.wait)) return this.ended("gone");
      this.presentAt = clock.now();
    }
    return undefined;
  }

  private settled(outcome: "deployed" | "failed" | "superseded"): Settlement {
    const { deploymentId, isFirst, plane } = this.wait;
    const { clock } = this.wait.time;
    const phases = this.passed.until(clock.now());
    // Only a wait from the beginning has observed the duration.
    if (outcome === "deployed" && this.rolloutStartedAt() >= this.startedAt - whollySeenMs)
      plane.polling.known.add({
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
    const { deploymentId, isFirst, plane } = this.wait;
    const { isLocal, known } = plane.polling;
    const awaited = { deploymentId, isFirst, isLocal, startedAt: this.rolloutStartedAt() };
    return (this.outlook ??= new ExpectedDuration(known, awaited));
  }

  /**
   * Returns the start of the rollout by our clock. An impossible time, for example from a wrong clock, counts as the
   * start of the wait.
   */
  private rolloutStartedAt(): number {
    const created =
      Date.parse(this.revision?.created_at ?? "") - (this.wait.plane.polling.clockDifferenceMs() ?? 0);
    const isPossible = created <= this.startedAt && created > this.startedAt - longestRolloutMs;
    return isPossible ? created : this.startedAt;
  }

  /** Returns when each later status was first reported, in milliseconds after the start. */
  private begins() {
    let afterMs = this.startedAt - this.rolloutStartedAt();
    return this.passed.until(this.wait.time.clock.now()).flatMap(({ ms }, place, phases) => {
      afterMs += ms;
      const next = phases[place + 1];
      return next ? [{ status: next.status, afterMs }] : [];
    });
  }

  /** Requests the durations of earlier rollouts once; on this machine only after most rollouts have ended. */
  private async askForThePast(): Promise<void> {
    const { deploymentId, deployments, isFirst, plane, revisionId, time } = this.wait;
    const { clock, signal } = time;
    const { askingOnce, isLocal, known } = plane.polling;
    const askAfterMs = isLocal ? askLocallyAfterMs : 0;
    if (this.hasAsked || clock.now() - this.startedAt < askAfterMs) return;
    this.hasAsked = true;
    const awaited = { deploymentId, revisionId, isFirst, signal };
    await known.ask(askingOnce(), awaited, deployments);
  }

  private show(): void {
    const { report, time } = this.wait;
    const { lastError, looks, revision } = this;
    const now = time.clock.now();
    const words = this.expected().words(now);
    report.status.show(
      lastError
        ? `cannot be read (${lastError.facts.status ?? lastError.code})`
        : (revision?.status ?? "not seen yet"),
      words
        ? `${formatDuration(now - this.rolloutStartedAt())}, ${words}`
        : `${spent(now - this.startedAt, time.deadline.totalMs)}, poll ${looks}`,
    );
  }
}

async function look({
  deploymentId,
  plane,
  revisionId,
  time,
}: Wait): Promise<RevisionRecord | AgentServerError> {
  try {
    return await plane.client.revisions.get(deploymentId, revisionId, time.signal, true);
  } catch (error) {
    return passing(error);
  }
}

async function isGone(wait: Wait): Promise<boolean> {
  try {
    return await wait.isGone();
  } catch (error) {
    passing(error);
    return false;
  }
}

/**
 * Returns an error that the next poll may not have.
 * @throws any other error
 */
function passing(error: unknown): AgentServerError {
  if (!AgentServerError.is(error) || error.isDenied) throw error;
  return error;
}
