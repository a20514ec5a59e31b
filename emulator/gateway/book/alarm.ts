import type { Clock } from "../../clock";

/** Timers of the machine go wrong over long times, and stand still while it sleeps. */
const longestMs = 3_600_000;

/** Rings once at the time it is set to. */
export class Alarm {
  #takeBack: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly ring: () => void,
  ) {}

  /** @param at - Milliseconds since 1970; undefined = never. */
  set(at: number | undefined): void {
    this.#takeBack?.();
    this.#takeBack = undefined;
    if (at === undefined) return;
    const left = Math.max(0, at - this.clock.now());
    const next = left > longestMs ? () => this.set(at) : this.ring;
    this.#takeBack = this.clock.after(Math.min(left, longestMs), next);
  }
}
