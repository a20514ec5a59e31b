import type { Clock } from "../../clock";

/** Longest delay of a timer: the machine's timers are inaccurate over long times, and stop while it sleeps. */
const longestMs = 60_000;

/** Timer that fires once at a given time. */
export class Timer {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly onTime: () => void,
  ) {}

  /** @param at - Milliseconds since 1970; `undefined` means never. */
  set(at: number | undefined): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (at === undefined) return;
    const left = Math.max(0, at - this.clock.now());
    const next = left > longestMs ? () => this.set(at) : this.onTime;
    this.#cancel = this.clock.after(Math.min(left, longestMs), next);
  }
}
