import type { Clock } from "../clock";

/** Period over which unused request budget accumulates, in milliseconds. It limits the size of a burst. */
const burstMs = 5_000;

/** A request that is waiting for its turn. */
export interface Turn {
  /** Latest time at which the request may be sent, in milliseconds since 1970. */
  latest?: number | undefined;
  /** True if the request must not wait while the service requires a pause. */
  isOptional?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

interface Waiter {
  latest: number;
  settle: (mayBeSent: boolean) => void;
  fail: (reason: unknown) => void;
}

/**
 * Limits the rate of all requests from a process to one service. Requests are sent in order of arrival. A period
 * without requests allows a burst. While the service requires a pause, nothing is sent, and the pause does not allow a
 * burst.
 */
export class Pace {
  private readonly everyMs: number;
  private readonly waiters = new Set<Waiter>();
  /** Time at which the last request consumed budget, in milliseconds since 1970. */
  private usedAt = Number.NEGATIVE_INFINITY;
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private timer?: { at: number; ending: AbortController };
  private difference?: number;

  /** @param perSecond requests per second; by default there is no limit */
  constructor(
    private readonly clock: Clock,
    perSecond: number = Number.POSITIVE_INFINITY,
  ) {
    this.everyMs = 1_000 / perSecond;
  }

  /**
   * Resolves with true when the request may be sent, or with false as soon as it can no longer be sent in time. Other
   * requests can use the budget of an abandoned request.
   * @throws the signal's reason if it aborts
   */
  async turn({ latest = Number.POSITIVE_INFINITY, isOptional = false, signal }: Turn = {}): Promise<boolean> {
    signal?.throwIfAborted();
    if (isOptional && this.pausedMs > 0) return false;
    let leave = () => {};
    try {
      return await new Promise<boolean>((settle, fail) => {
        const waiter = { latest, settle, fail };
        this.waiters.add(waiter);
        leave = () => {
          this.waiters.delete(waiter);
          fail(signal?.reason);
          this.serve();
        };
        signal?.addEventListener("abort", leave, { once: true });
        this.serve();
      });
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Pauses all requests for this time, as required by the service. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms);
    this.usedAt = Math.max(this.usedAt, this.pausedUntil - this.everyMs);
  }

  /** Returns the remaining time of the pause that the service requires, in milliseconds. */
  get pausedMs(): number {
    return Math.max(0, this.pausedUntil - this.clock.now());
  }

  /** Reads the service's time from the `Date` header of a response. */
  sawDate(header: unknown): void {
    const at = typeof header === "string" ? Date.parse(header) : Number.NaN;
    // The date contains only whole seconds, so half a second is added: the mean of the omitted part.
    if (!Number.isNaN(at)) this.difference = at + 500 - this.clock.now();
  }

  /**
   * Returns the difference between the service's clock and the local clock, in milliseconds, accurate to about a
   * second; positive if the service's clock is ahead, `undefined` before the first response.
   */
  get clockDifferenceMs(): number | undefined {
    return this.difference;
  }

  /** Releases all requests that are due, and abandons those that can no longer be sent in time. */
  private serve(): void {
    const now = this.clock.now();
    let usedAt = this.usedAt;
    let next: number | undefined;
    for (const waiter of this.waiters) {
      const at = Math.max(usedAt, now - burstMs) + this.everyMs;
      const mayBeSent = Math.max(at, now) <= waiter.latest;
      if (mayBeSent) usedAt = at;
      if (mayBeSent && at > now) {
        next ??= at;
        continue;
      }
      if (mayBeSent) this.usedAt = at;
      this.waiters.delete(waiter);
      waiter.settle(mayBeSent);
    }
    this.arm(next, now);
  }

  /** Sets the single timer to the time of the next request. */
  private arm(at: number | undefined, now: number): void {
    if (this.timer?.at === at) return;
    const last = this.timer;
    this.timer = undefined;
    last?.ending.abort();
    if (at === undefined) return;
    const timer = (this.timer = { at, ending: new AbortController() });
    const isCurrent = () => this.timer === timer;
    this.clock.sleep(at - now, timer.ending.signal).then(
      () => {
        if (!isCurrent()) return;
        this.timer = undefined;
        this.serve();
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        this.timer = undefined;
        for (const { fail } of this.waiters) fail(error);
        this.waiters.clear();
      },
    );
  }
}
