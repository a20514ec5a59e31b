import type { DeploymentRecord } from "../../../wire";
import type { Clock } from "../../clock";
import { AgentServerError } from "../../errors";

/** Maximum number of waits that poll individually. For more waits, a page of the list is cheaper. */
const maxIndividual = 3;
/**
 * Minimum pause between two requests for the list, in milliseconds. If the control plane is on this machine, these
 * requests are cheap.
 */
const listPauseMs = { elsewhere: 4_000, local: 500 };
/**
 * Maximum time between individual polls of a wait, in milliseconds. Individual polls are necessary because the list
 * does not show failures.
 */
const individualPollMs = 90_000;
/**
 * Number of waits that may poll individually each time the list is read, per page that the deployments being waited for
 * would fill.
 */
const individualPollsPerPage = 1;
const rowsPerPage = 100;
/** Maximum time for a page of the list, in milliseconds; polls that are due wait this long for it. */
const pageTimeoutMs = 5_000;
/**
 * Pause before the list is requested again, in milliseconds: after a failed request, or if the list has too many pages.
 */
const listRetryMs = { failed: 60_000, tooLong: 600_000 };

/** Revision for which a wait polls. */
export interface PolledRevision {
  deploymentId: string;
  revisionId: string;
  /** End of the wait, in milliseconds since 1970. */
  deadline: number;
  signal?: AbortSignal | undefined;
  /** Returns the time of the next poll, in milliseconds since 1970. */
  nextPoll(): number;
  /** Called if the list shows no change. */
  onUnchanged(): void;
}

/** Scheduled wait for a revision. */
export interface ScheduledWait {
  /** True if the waits currently share the list, so that the first poll can use the list as well. */
  readonly usesList: boolean;
  /**
   * Resolves when the revision should be polled.
   * @throws the signal's reason if it aborts, or the error of a failing clock
   */
  turn(): Promise<void>;
}

/** State of one wait; `turn` is set while the wait is waiting for its turn. */
interface WaitEntry {
  watched: PolledRevision;
  due: number;
  individualPollAt: number;
  /** The deployment's row in the last list, as a string. */
  row?: string;
  turn?: { resolve: () => void; reject: (reason: unknown) => void };
}

/** Reads the workspace's deployments page by page, with a single attempt per page. */
export type ListPages = (signal: AbortSignal) => AsyncIterable<DeploymentRecord[]>;

/** A request for the list that is in progress, with the time of its next page in milliseconds since 1970. */
interface ListRequest {
  until: number;
  ending: AbortController;
}

/**
 * Schedules the polls of all waits in a process. A few waits poll individually. If there are many, they share pages of
 * the list of deployments. A wait then polls if its row in the list has changed or reports the revision as active, and
 * occasionally to detect changes that the list does not show. There is one timer for all waits.
 */
export class PollScheduler {
  /** All current waits. */
  private readonly waiting = new Set<WaitEntry>();
  private timer?: { at: number; ending: AbortController };
  private listing?: ListRequest;
  private nextList = Number.NEGATIVE_INFINITY;
  private listsPausedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly pages: ListPages,
    private readonly isLocal = false,
  ) {}

  /** Adds a wait. */
  join(watched: PolledRevision): ScheduledWait {
    const entry: WaitEntry = { watched, due: 0, individualPollAt: this.clock.now() };
    return { usesList: this.isShared, turn: () => this.turn(entry) };
  }

  private async turn(entry: WaitEntry): Promise<void> {
    const { watched } = entry;
    const { signal } = watched;
    signal?.throwIfAborted();
    let leave = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        leave = () => reject(signal?.reason);
        signal?.addEventListener("abort", leave, { once: true });
        entry.turn = { resolve, reject };
        entry.due = watched.nextPoll();
        this.waiting.add(entry);
        this.setTimer();
      });
      entry.individualPollAt = this.clock.now();
    } finally {
      signal?.removeEventListener("abort", leave);
      this.waiting.delete(entry);
      if (this.waiting.size === 0) {
        this.clearTimer();
        this.stopListing();
      }
    }
  }

  private release(entry: WaitEntry): void {
    this.waiting.delete(entry);
    entry.turn?.resolve();
  }

  private fail(reason: unknown): void {
    for (const { turn } of this.waiting) turn?.reject(reason);
  }

  /** True if the waits share the list. */
  private get isShared(): boolean {
    return this.waiting.size > maxIndividual && this.clock.now() >= this.listsPausedUntil;
  }

  /** Sets the timer for the next action. */
  private setTimer(): void {
    if (this.waiting.size === 0) return;
    const at = this.nextDue();
    if (this.timer && this.timer.at <= at) return;
    this.clearTimer();
    const timer = (this.timer = { at, ending: new AbortController() });
    this.clock.sleep(Math.max(0, at - this.clock.now()), timer.ending.signal).then(
      () => this.timer === timer && this.fire(),
      (error: unknown) => this.timer === timer && this.fail(error),
    );
  }

  private clearTimer(): void {
    const { timer } = this;
    this.timer = undefined;
    timer?.ending.abort();
  }

  private nextDue(): number {
    let [due, deadline] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (const entry of this.waiting) {
      due = Math.min(due, entry.due);
      deadline = Math.min(deadline, entry.watched.deadline);
    }
    const next = this.isShared ? Math.max(due, this.nextList) : due;
    return Math.min(this.listing ? this.listing.until : next, deadline);
  }

  private fire(): void {
    this.timer = undefined;
    const now = this.clock.now();
    for (const entry of this.waiting) if (entry.watched.deadline <= now) this.release(entry);
    if (this.listing && this.listing.until <= now) {
      this.pauseLists(listRetryMs.failed);
      this.stopListing();
    }
    const due = this.listing ? [] : [...this.waiting].filter((entry) => entry.due <= now);
    if (!this.isShared) for (const entry of due) this.release(entry);
    else if (due.length > 0 && now >= this.nextList) void this.list();
    this.setTimer();
  }

  /** Reads the list, with as few pages as possible, and checks all waits against it. */
  private async list(): Promise<void> {
    const listing = (this.listing = { until: 0, ending: new AbortController() });
    const isStopped = () => this.listing !== listing;
    const awaitPage = () => (listing.until = this.clock.now() + pageTimeoutMs);
    awaitPage();
    this.nextList = this.clock.now() + listPauseMs[this.isLocal ? "local" : "elsewhere"];
    const sought = new Map<string, WaitEntry[]>();
    for (const entry of this.waiting) {
      const { deploymentId } = entry.watched;
      sought.set(deploymentId, [...(sought.get(deploymentId) ?? []), entry]);
    }
    const ownPolls = Math.ceil(sought.size / rowsPerPage) * individualPollsPerPage;
    // With more pages, individual polls would be cheaper.
    let pagesLeft = Math.ceil(this.waiting.size / 2);
    try {
      for await (const page of this.pages(listing.ending.signal)) {
        if (isStopped()) return;
        for (const record of page) {
          for (const entry of sought.get(record.id) ?? []) this.compare(entry, record);
          sought.delete(record.id);
        }
        pagesLeft -= 1;
        if (sought.size === 0) break;
        if (pagesLeft === 0) return this.pauseLists(listRetryMs.tooLong);
        awaitPage();
      }
      for (const entry of [...sought.values()].flat()) this.handleMissing(entry);
      this.releaseOverdue(ownPolls);
    } catch (error) {
      if (isStopped()) return;
      this.pauseLists(listRetryMs.failed);
      if (!AgentServerError.is(error)) this.fail(error);
    } finally {
      if (!isStopped()) {
        this.listing = undefined;
        this.clearTimer();
        this.setTimer();
      }
    }
  }

  private stopListing(): void {
    const { listing } = this;
    this.listing = undefined;
    listing?.ending.abort();
  }

  /** Pauses list requests for this time, so that the waits poll individually. */
  private pauseLists(ms: number): void {
    this.listsPausedUntil = this.clock.now() + ms;
  }

  private compare(entry: WaitEntry, record: DeploymentRecord): void {
    // If a server does not report the active revision, its list does not show progress.
    if (record.active_revision_id === undefined) this.pauseLists(listRetryMs.failed);
    const row = JSON.stringify([record.active_revision_id, record.latest_revision_id, record.status]);
    const isChanged = entry.row !== undefined && entry.row !== row;
    entry.row = row;
    if (isChanged || record.active_revision_id === entry.watched.revisionId) this.release(entry);
    else this.handleUnchanged(entry);
  }

  /**
   * Handles a deployment that is missing from the list. If it was listed before, it may have been deleted. If it was
   * never listed, it is polled individually, at long intervals.
   */
  private handleMissing(entry: WaitEntry): void {
    if (entry.row !== undefined) this.release(entry);
    else this.handleUnchanged(entry);
  }

  private handleUnchanged(entry: WaitEntry): void {
    entry.watched.onUnchanged();
    entry.due = entry.watched.nextPoll();
  }

  private releaseOverdue(most: number): void {
    const since = this.clock.now() - individualPollMs;
    const overdue = [...this.waiting].filter(({ individualPollAt }) => individualPollAt <= since);
    overdue.sort((one, other) => one.individualPollAt - other.individualPollAt);
    for (const entry of overdue.slice(0, most)) this.release(entry);
  }
}
