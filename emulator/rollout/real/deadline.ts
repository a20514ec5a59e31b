import type { Clock } from "../../clock";

/** A wait that ends early when the caller gives up or the clock says that it took too long. */
export interface Deadline {
  signal: AbortSignal;
  /** True if it was ended by the deadline. */
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

/** `60 s`, `10 min`. */
export function spellDuration(ms: number): string {
  return ms % 60_000 === 0 && ms > 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}
