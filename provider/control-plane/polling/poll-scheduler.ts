import type { DeploymentRecord } from "../../../wire";
import type { Clock } from "../../clock";
import { AgentServerError } from "../../errors";

/** Up to so many waits look each for itself: a page of the list would cost as much. */
const mostByThemselves = 3;
/** Shortest pause between two lists, in milliseconds; on this machine a list costs nothing. */
const listPauseMs = { elsewhere: 4_000, local: 500 };
/** Longest time without a look of its own, in milliseconds: a list does not show failures. */
const ownLookMs = 90_000;
/** RolloutPolling that may have such a look with one page of the list. */
const ownLooksAPage = 1;
/** Rows of a page. */
const rowsAPage = 100;
/** Longest time that a page of the list takes, in milliseconds: until then all that is due waits for it. */
const pagePatienceMs = 5_000;
/** How long there are no lists after one that did not help, in milliseconds; and after one that had too many pages. */
const listRestMs = { failed: 60_000, tooLong: 600_000 };

/** A revision that is waited for. */
export interface Watched {
  deploymentId: string;
  revisionId: string;
  /** When the wait is over, in milliseconds since 1970. */
  deadline: number;
  signal?: AbortSignal | undefined;
  /** When it wants to be looked at again, as far as is known now, in milliseconds since 1970. */
  nextLook(): number;
  /** Called where the list has shown that nothing has happened. */
  onUnchanged(): void;
}

/** One wait among those of the process. */
export interface Waiting {
  /** Whether so many wait already that a look at the beginning can wait for the list, too. */
  readonly isCrowded: boolean;
  /** Resolves when it is time to look at the revision. @throws the reason of the signal, and what the clock throws */
  turn(): Promise<void>;
}

/** What the watcher knows of one wait; `turn` is there while it waits for one. */
interface Entry {
  watched: Watched;
  due: number;
  ownLookAt: number;
  /** The deployment's row in the last list, as a text. */
  row?: string;
  turn?: { resolve: () => void; reject: (reason: unknown) => void };
}

/** Reads the workspace's deployments page by page, each page tried once. */
export type ListPages = (signal: AbortSignal) => AsyncIterable<DeploymentRecord[]>;

/** A list in flight, and when its next page has to be there, in milliseconds since 1970. */
interface Listing {
  until: number;
  ending: AbortController;
}

/**
 * Tells all waits of a process when to look. Few look when their schedule says so. Many share pages of the list of
 * deployments: a row that names the revision as the active one, or that has changed, is worth a look; in between each has
 * a slow look of its own, for what the list does not show. One timer serves them all.
 */
export class PollScheduler {
  /** Those that wait for their turn. */
  private readonly waiting = new Set<Entry>();
  private timer?: { at: number; ending: AbortController };
  private listing?: Listing;
  private nextList = Number.NEGATIVE_INFINITY;
  private restsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly pages: ListPages,
    private readonly isLocal = false,
  ) {}

  /** Lets a wait take part. */
  join(watched: Watched): Waiting {
    const entry: Entry = { watched, due: 0, ownLookAt: this.clock.now() };
    return { isCrowded: this.isShared, turn: () => this.turn(entry) };
  }

  private async turn(entry: Entry): Promise<void> {
    const { watched } = entry;
    const { signal } = watched;
    signal?.throwIfAborted();
    let leave = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        leave = () => reject(signal?.reason);
        signal?.addEventListener("abort", leave, { once: true });
        entry.turn = { resolve, reject };
        entry.due = watched.nextLook();
        this.waiting.add(entry);
        this.arm();
      });
      entry.ownLookAt = this.clock.now();
    } finally {
      signal?.removeEventListener("abort", leave);
      this.waiting.delete(entry);
      if (this.waiting.size === 0) {
        this.disarm();
        this.stopListing();
      }
    }
  }

  private release(entry: Entry): void {
    this.waiting.delete(entry);
    entry.turn?.resolve();
  }

  private fail(reason: unknown): void {
    for (const { turn } of this.waiting) turn?.reject(reason);
  }

  /** Whether the waits look at the list together. */
  private get isShared(): boolean {
    return this.waiting.size > mostByThemselves && this.clock.now() >= this.restsUntil;
  }

  /** Sets the timer to what is to be done next. */
  private arm(): void {
    if (this.waiting.size === 0) return;
    const at = this.nextDue();
    if (this.timer && this.timer.at <= at) return;
    this.disarm();
    const timer = (this.timer = { at, ending: new AbortController() });
    this.clock.sleep(Math.max(0, at - this.clock.now()), timer.ending.signal).then(
      () => this.timer === timer && this.fire(),
      (error: unknown) => this.timer === timer && this.fail(error),
    );
  }

  private disarm(): void {
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
      this.rest(listRestMs.failed);
      this.stopListing();
    }
    const due = this.listing ? [] : [...this.waiting].filter((entry) => entry.due <= now);
    if (!this.isShared) for (const entry of due) this.release(entry);
    else if (due.length > 0 && now >= this.nextList) void this.list();
    this.arm();
  }

  /** Looks at all that wait with as few pages as it takes. */
  private async list(): Promise<void> {
    const listing = (this.listing = { until: 0, ending: new AbortController() });
    const isStopped = () => this.listing !== listing;
    const awaitPage = () => (listing.until = this.clock.now() + pagePatienceMs);
    awaitPage();
    this.nextList = this.clock.now() + listPauseMs[this.isLocal ? "local" : "elsewhere"];
    const sought = new Map<string, Entry[]>();
    for (const entry of this.waiting) {
      const { deploymentId } = entry.watched;
      sought.set(deploymentId, [...(sought.get(deploymentId) ?? []), entry]);
    }
    const ownLooks = Math.ceil(sought.size / rowsAPage) * ownLooksAPage;
    // More pages than that would hardly be less than looks by themselves.
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
        if (pagesLeft === 0) return this.rest(listRestMs.tooLong);
        awaitPage();
      }
      for (const entry of [...sought.values()].flat()) this.missing(entry);
      this.giveOwnLooks(ownLooks);
    } catch (error) {
      if (isStopped()) return;
      this.rest(listRestMs.failed);
      if (!AgentServerError.is(error)) this.fail(error);
    } finally {
      if (!isStopped()) {
        this.listing = undefined;
        this.disarm();
        this.arm();
      }
    }
  }

  private stopListing(): void {
    const { listing } = this;
    this.listing = undefined;
    listing?.ending.abort();
  }

  /** Without lists, each wait looks when its schedule says so. */
  private rest(ms: number): void {
    this.restsUntil = this.clock.now() + ms;
  }

  private compare(entry: Entry, record: DeploymentRecord): void {
    // A server that names no active revision shows nothing in its list.
    if (record.active_revision_id === undefined) this.rest(listRestMs.failed);
    const row = JSON.stringify([record.active_revision_id, record.latest_revision_id, record.status]);
    const isChanged = entry.row !== undefined && entry.row !== row;
    entry.row = row;
    if (isChanged || record.active_revision_id === entry.watched.revisionId) this.release(entry);
    else this.unchanged(entry);
  }

  /** What was in the list before may be gone; what never was is looked at by itself, slowly. */
  private missing(entry: Entry): void {
    if (entry.row !== undefined) this.release(entry);
    else this.unchanged(entry);
  }

  private unchanged(entry: Entry): void {
    entry.watched.onUnchanged();
    entry.due = entry.watched.nextLook();
  }

  private giveOwnLooks(most: number): void {
    const since = this.clock.now() - ownLookMs;
    const overdue = [...this.waiting].filter(({ ownLookAt }) => ownLookAt <= since);
    overdue.sort((one, other) => one.ownLookAt - other.ownLookAt);
    for (const entry of overdue.slice(0, most)) this.release(entry);
  }
}
