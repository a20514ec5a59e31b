import type { Clock } from "../clock";

/** Schedule of the checks of a poll. */
export interface Schedule {
  /** The pause before the first check, in milliseconds, if any. The deadline does not shorten it. */
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

/** Time as seen by a poll. */
export interface PollTime {
  clock: Clock;
  /** Omitted if only the schedule limits the poll. */
  deadline?: { at: number };
  signal?: AbortSignal;
}

/**
 * Checks until there is a result. The last check is at the deadline, after which only reads are sent.
 * @param check `checks` counts from 1
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
