import type { Clock } from "../clock";

/** The pause before the look after `looks` of them, in milliseconds; nothing where that was the last one. */
export type Schedule = (looks: number) => number | undefined;

/** Pauses that grow from the first to the longest, in milliseconds. */
export function growing({
  firstMs,
  longestMs,
  growth,
}: Record<"firstMs" | "longestMs" | "growth", number>): Schedule {
  return (looks) => Math.min(firstMs * growth ** (looks - 1), longestMs);
}

/** These pauses and no other, in milliseconds. */
export function listed(pauses: readonly number[]): Schedule {
  return (looks) => pauses[looks - 1];
}

/** Time, and when it is over. */
export interface Deadline {
  clock: Clock;
  /** In milliseconds since 1970. */
  deadline: number;
  signal?: AbortSignal;
}

/**
 * Looks until something comes of it, with a last look when the time is over.
 * @param look does it; `looks` counts from 1
 * @returns nothing where nothing came of it in time, or within the schedule
 */
export async function poll<Found>(
  { clock, deadline, signal }: Deadline,
  schedule: Schedule,
  look: (looks: number) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  for (let looks = 1; ; looks += 1) {
    const found = await look(looks);
    if (found !== undefined) return found;
    const left = deadline - clock.now();
    const pause = schedule(looks);
    if (pause === undefined || left <= 0) return undefined;
    await clock.sleep(Math.min(pause, left), signal);
  }
}
