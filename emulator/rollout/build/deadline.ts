import type { Clock } from "../../clock";

/** A wait that ends when the caller aborts it or the deadline is reached. */
export interface Deadline {
  signal: AbortSignal;
  /** True if the deadline ended the wait. */
  expired(): boolean;
  cancel(): void;
}

export function deadline(clock: Clock, afterMs: number, caller: AbortSignal): Deadline {
  const timeout = new AbortController();
  const takeBack = clock.after(afterMs, () => timeout.abort(new Error("out of time")));
  return {
    signal: AbortSignal.any([caller, timeout.signal]),
    expired: () => timeout.signal.aborted && !caller.aborted,
    cancel: takeBack,
  };
}

/** Formats a duration, such as `60 s` or `10 min`. */
export function spellDuration(ms: number): string {
  return ms % 60_000 === 0 && ms > 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
