import type { Clock } from "../clock";
import { AgentServerError } from "../errors";
import { formatDuration } from "./duration";
import type { OperationTime } from "./operation";

/** When a poll looks. */
export interface Schedule {
  /** The pause before the first look, in milliseconds, if any; no deadline cuts it short. */
  beforeFirst?: number;
  /** The pause after so many looks, in milliseconds; nothing where that was the last one. */
  after(looks: number): number | undefined;
}

/** Pauses that grow from the first to the longest, in milliseconds. */
export function backoff({
  firstMs,
  longestMs,
  growth,
}: Record<"firstMs" | "longestMs" | "growth", number>): Schedule {
  return { after: (looks) => Math.min(firstMs * growth ** (looks - 1), longestMs) };
}

/** These pauses and no other, in milliseconds. */
export function fixedDelays(pauses: readonly number[]): Schedule {
  return { after: (looks) => pauses[looks - 1] };
}

/** Time as a poll sees it. */
export interface PollTime {
  clock: Clock;
  /** Omitted if the poll ends with its schedule only. */
  deadline?: { at: number };
  signal?: AbortSignal;
}

/**
 * Looks until something comes of it, with a last look when the time is over.
 * @param look does it; `looks` counts from 1
 * @returns nothing where nothing came of it in time, or within the schedule
 */
export async function poll<Found>(
  { clock, deadline, signal }: PollTime,
  schedule: Schedule,
  look: (looks: number) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (schedule.beforeFirst !== undefined) await clock.sleep(schedule.beforeFirst, signal);
  for (let looks = 1; ; looks += 1) {
    const found = await look(looks);
    if (found !== undefined) return found;
    const left = (deadline?.at ?? Number.POSITIVE_INFINITY) - clock.now();
    const pause = schedule.after(looks);
    if (pause === undefined || left <= 0) return undefined;
    await clock.sleep(Math.min(pause, left), signal);
  }
}

/**
 * Refuses to send a change when its time is over: what it makes could not be waited for any more.
 * @param change what was to be sent, for example `deployment "support-agent" was not created`
 * @throws AgentServerError `rollout_timeout`
 */
export function refuseLate({ clock, deadline }: OperationTime, change: string): void {
  if (clock.now() <= deadline.at) return;
  throw new AgentServerError(
    "rollout_timeout",
    `The timeout of ${formatDuration(deadline.totalMs)} expired before anything could be sent; ${change}. Run the command again when the control plane answers, or raise \`${deadline.setBy}\`.`,
  );
}
