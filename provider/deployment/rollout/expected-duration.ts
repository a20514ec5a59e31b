import { formatDuration } from "../../text/duration";
import { groupsOf } from "../../control-plane/polling/groups";
import type { KnownRollouts } from "../../control-plane/polling/known-rollouts";
import { isWrong, pauseAfter, type Knowledge } from "../../control-plane/polling/schedule";

/** Statuses in which a revision waits for others to end: its own length has not begun. */
const queued = new Set(["QUEUED", "AWAITING_BUILD"]);
/** Lengths of a phase that have to be known before they go before those of the whole. */
const enoughOfPhase = 2;

/** Which rollout it is. */
export interface AwaitedRevision {
  deploymentId: string;
  isFirst: boolean;
  isLocal: boolean;
  /** When it began, in milliseconds since 1970 by our clock. */
  startedAt: number;
}

/** What is to be expected of one rollout, from those that were like it and from what was seen of it so far. */
export class ExpectedDuration {
  /** What its expected length counts from. */
  private anchor: { at: number; status?: string };
  private status?: string;
  private looks = 0;

  constructor(
    private readonly known: KnownRollouts,
    private readonly awaited: AwaitedRevision,
  ) {
    this.anchor = { at: awaited.startedAt };
  }

  /** Notes a look, with the status that it showed, if any. */
  observe(status: string | undefined, now: number): void {
    this.looks += 1;
    if (status === undefined || status === this.status) return;
    const { deploymentId, isFirst } = this.awaited;
    const before = this.status;
    this.status = status;
    // Who comes in the midst of a status does not know when it began.
    if (before === undefined) return;
    if (this.known.like(deploymentId, isFirst, status).lengths.length >= enoughOfPhase)
      this.anchor = { at: now, status };
    else if (queued.has(before)) this.anchor = { at: now };
  }

  /** When to look next, in milliseconds since 1970. */
  nextPoll(now: number): number {
    return now + pauseAfter(this.momentAt(now), this.knowledge());
  }

  /** `usually done after 5m30s to 6m`, counted from the beginning; nothing where nothing is known. */
  words(now: number): string | undefined {
    const { deploymentId, isFirst, startedAt } = this.awaited;
    const { lengths } = this.known.like(deploymentId, isFirst, this.anchor.status);
    if (lengths.length === 0) return undefined;
    const before = this.anchor.at - startedAt;
    const ordered = [...lengths].sort((one, other) => one - other);
    const [low, high] = [0.1, 0.9].map((part) =>
      round(before + ordered[Math.round(part * (ordered.length - 1))]!),
    ) as [number, number];
    const range = low === high ? formatDuration(low) : `${formatDuration(low)} to ${formatDuration(high)}`;
    return isWrong(now - this.anchor.at, this.knowledge())
      ? `longer than the usual ${range}`
      : `usually done after ${range}`;
  }

  private momentAt(now: number) {
    return { elapsedMs: Math.max(0, now - this.anchor.at), looks: this.looks };
  }

  private knowledge(): Knowledge {
    const { deploymentId, isFirst, isLocal } = this.awaited;
    const isQueued = this.status !== undefined && queued.has(this.status);
    const { lengths, failed } = isQueued
      ? { lengths: [], failed: 0 }
      : this.known.like(deploymentId, isFirst, this.anchor.status);
    return { groups: groupsOf(lengths), count: lengths.length, failed, isLocal };
  }
}

/** As a person would say it: seconds, then tens of them, then half minutes. */
function round(ms: number): number {
  const step = ms < 60_000 ? 1_000 : ms < 300_000 ? 10_000 : 30_000;
  return Math.round(ms / step) * step;
}
