import type { Clock } from "../clock";

/** Schedule that determines the times of the checks of a poll. */
export interface Schedule {
  /** Pause before the first check, in milliseconds, even if it exceeds the deadline; none by default. */
  beforeFirst?: number;
  /** Returns the pause after this many checks, in milliseconds; `undefined` if that was the last check. */
  after(checks: number): number | undefined;
}

/** Returns a schedule with pauses that increase from the first to the longest one, in milliseconds. */
export function backoff({
  firstMs,
  longestMs,
  growth,
}: Record<"firstMs" | "longestMs" | "growth", number>): Schedule {
  return { after: (checks) => Math.min(firstMs * growth ** (checks - 1), longestMs) };
}

/** Returns a schedule with these pauses only, in milliseconds. */
export function fixedDelays(pauses: readonly number[]): Schedule {
  return { after: (checks) => pauses[checks - 1] };
}

/** Clock, deadline, and cancellation signal of a poll. */
export interface PollTime {
  clock: Clock;
  /** Time at which the poll ends; omitted if only the schedule limits the poll. */
  deadline?: { at: number };
  signal?: AbortSignal;
}

/**
 * Checks repeatedly until there is a result. The last check takes place at the deadline.
 * @param check returns the result, if there is one; `checks` counts from 1
 * @returns `undefined` if there is no result before the deadline or the end of the schedule
 */
export async function poll<Found>(
  { clock, deadline, signal }: PollTime,
  schedule: Schedule,
  check: (checks: number) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (schedule.beforeFirst !== undefined) await clock.sleep(schedule.beforeFirst, signal);
  for (let checks = 1; ; checks += 1) {
    const found = await check(checks);
    if (found !== undefined) return found;
    const left = (deadline?.at ?? Number.POSITIVE_INFINITY) - clock.now();
    const pause = schedule.after(checks);
    if (pause === undefined || left <= 0) return undefined;
    await clock.sleep(Math.min(pause, left), signal);
  }
}
