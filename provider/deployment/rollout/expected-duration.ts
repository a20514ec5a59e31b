import { usualRange } from "../../../wire/rollouts/duration";
import { formatDuration } from "../../text/duration";
import { groupsOf } from "../../control-plane/polling/groups";
import type { KnownRollouts } from "../../control-plane/polling/known-rollouts";
import type { RolloutTraits } from "../../control-plane/polling/rollout-traits";
import { exceedsHistory, pauseAfter, type Knowledge } from "../../control-plane/polling/schedule";

/** Statuses in which a revision waits for other revisions, so that its own rollout has not started. */
const queued = new Set(["QUEUED", "AWAITING_BUILD"]);
/** Minimum number of known durations of a phase. If there are fewer, the durations of whole rollouts are used. */
const minPhaseDurations = 2;

/** Rollout whose duration is predicted. */
export interface AwaitedRevision extends RolloutTraits {
  deploymentId: string;
  isFirst: boolean;
  isLocal: boolean;
  /** Start of the rollout, in milliseconds since 1970 according to the local clock. */
  startedAt: number;
}

/** Expected duration of a rollout, based on comparable rollouts and on the statuses so far. */
export class ExpectedDuration {
  /** Time from which the expected duration is measured. */
  private anchor: { at: number; status?: string };
  private status?: string;
  private polls = 0;

  constructor(
    private readonly known: KnownRollouts,
    private readonly awaited: AwaitedRevision,
  ) {
    this.anchor = { at: awaited.startedAt };
  }

  /** Records a poll and the status that it returned, if any. */
  observe(status: string | undefined, now: number): void {
    this.polls += 1;
    if (status === undefined || status === this.status) return;
    const { deploymentId, isFirst } = this.awaited;
    const before = this.status;
    this.status = status;
    // If the wait starts during a status, the start of that status is unknown.
    if (before === undefined) return;
    if (this.known.similarTo(deploymentId, isFirst, status).durations.length >= minPhaseDurations)
      this.anchor = { at: now, status };
    else if (queued.has(before)) this.anchor = { at: now };
  }

  /** Returns the time of the next poll, in milliseconds since 1970. */
  nextPoll(now: number): number {
    return now + pauseAfter(this.momentAt(now), this.knowledge());
  }

  /**
   * Formats the expected duration, for example `usually done after 5m30s to 6m`, measured from the start of the
   * rollout; `undefined` if no similar rollout is known.
   */
  text(now: number): string | undefined {
    const { deploymentId, startedAt } = this.awaited;
    const ofStatus = this.known.similar(deploymentId, this.awaited, this.anchor.status);
    const at = ofStatus.length > 0 ? this.anchor.at : startedAt;
    const durations = ofStatus.length > 0 ? ofStatus : this.known.similar(deploymentId, this.awaited);
    const usual = usualRange(durations, at - startedAt);
    if (!usual) return undefined;
    const { low, high } = usual;
    const range = low === high ? formatDuration(low) : `${formatDuration(low)} to ${formatDuration(high)}`;
    return exceedsHistory(now - at, {
      ...this.knowledge(),
      groups: groupsOf(durations),
      count: durations.length,
    })
      ? `longer than the usual ${range}`
      : `usually done after ${range}`;
  }

  private momentAt(now: number) {
    return { elapsedMs: Math.max(0, now - this.anchor.at), polls: this.polls };
  }

  private knowledge(): Knowledge {
    const { deploymentId, isFirst, isLocal } = this.awaited;
    const isQueued = this.status !== undefined && queued.has(this.status);
    const { durations, failed } = isQueued
      ? { durations: [], failed: 0 }
      : this.known.similarTo(deploymentId, isFirst, this.anchor.status);
    return { groups: groupsOf(durations), count: durations.length, failed, isLocal };
  }
}
