import type { Clock } from "../../clock";

/**
 * Maximum delay of a system timer, in milliseconds. System timers are inaccurate over long periods, and pause while the
 * machine is asleep.
 */
const longestMs = 60_000;

/** Timer that fires once at a given time. */
export class Timer {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onTime: () => void,
  ) {}

  /** @param at - Time in milliseconds since 1970; `undefined` means never. */
  set(at: number | undefined): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (at === undefined) return;
    const left = Math.max(0, at - this.clock.now());
    const next = left > longestMs ? () => this.set(at) : this.onTime;
    this.#cancel = this.clock.after(Math.min(left, longestMs), next);
  }
}
