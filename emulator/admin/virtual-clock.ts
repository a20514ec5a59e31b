import type { Clock } from "../clock";

interface Timer {
  due: number;
  action: () => void;
}

/**
 * Clock that advances only on request. Like the system clock, it counts whole milliseconds; fractions are rounded up.
 *
 * @example
 * const clock = new VirtualClock();
 * const plane = await startControlPlane({ clock });
 * await clock.advance(30 * 60_000);
 */
export class VirtualClock implements Clock {
  #now: number;
  /** Timers, ordered by due time and then by creation. */
  readonly #timers: Timer[] = [];
  #sleepers = 0;
  /** Number of the current `#drive` loop. An earlier loop ends when this number changes. */
  #driver = 0;

  /** @param start - Milliseconds since 1970. Defaults to a fixed day, so that runs are reproducible. */
  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, action: () => void): () => void {
    const timer: Timer = { due: Math.ceil(this.#now + Math.max(0, delayMs)), action };
    const later = this.#timers.findIndex((other) => other.due > timer.due);
    this.#timers.splice(later < 0 ? this.#timers.length : later, 0, timer);
    return () => {
      const place = this.#timers.indexOf(timer);
      if (place >= 0) this.#timers.splice(place, 1);
    };
  }

  /** Advances time by `ms`. Fires due timers in order, and waits for their effects before the next one. */
  async advance(ms: number): Promise<void> {
    const until = Math.ceil(this.#now + ms);
    await settle();
    while (this.#fireNext(until)) await settle();
    this.#now = Math.max(this.#now, until);
    await settle();
  }

  /** Waits until other callers have advanced time by `ms`. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const takeBack = this.after(ms, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      const abort = (): void => {
        takeBack();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /**
   * Advances time by `ms` instead of waiting; used as the sleep function of a client under test. Concurrent sleepers
   * share the elapsed time and wake in order. Time advances even while other callers are not asleep.
   */
  readonly advancingSleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    this.#sleepers += 1;
    if (this.#sleepers === 1) void this.#drive();
    try {
      await this.sleep(ms, signal);
    } finally {
      this.#sleepers -= 1;
    }
  };

  /** Advances time from one timer to the next while callers of `advancingSleep` are waiting. */
  async #drive(): Promise<void> {
    this.#driver += 1;
    const driver = this.#driver;
    for (;;) {
      await settle();
      if (this.#sleepers === 0 || driver !== this.#driver) return;
      this.#fireNext(Number.POSITIVE_INFINITY);
    }
  }

  #fireNext(until: number): boolean {
    const next = this.#timers[0];
    if (!next || next.due > until) return false;
    this.#timers.shift();
    this.#now = Math.max(this.#now, next.due);
    next.action();
    return true;
  }
}

/** Waits until pending promises have settled and pending input has been received. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
