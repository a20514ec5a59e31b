import { z } from "zod";
import { isSchedule, isTimeZone, nextTimes } from "../../wire/cron-schedule";
import { kindState } from "../resource/kind-state";
import type { ManagedState } from "../resource/managed";
import type { CronInputs } from "./inputs";

const cronOutputs = z.object({
  /** The next three times at which the cron starts a run, as of the last response about the cron. */
  nextRuns: z.array(z.string()).optional(),
  /** Inputs that are `null` in the program but still set on the server, because only a replacement can clear them. */
  unclearedInputs: z.array(z.string()).optional(),
});

/** State of a cron: the accepted inputs and the outputs. */
export type CronState = CronInputs & z.infer<typeof cronOutputs> & ManagedState;

export const cronState = kindState<CronState>("cron", cronOutputs, 1);

/**
 * Returns the next three times at which a cron starts a run, in ISO 8601 format; empty if the cron is disabled or the
 * times cannot be computed on this machine.
 */
export function nextRuns(
  { schedule, timezone, endTime, enabled }: Pick<CronInputs, "schedule" | "timezone" | "endTime" | "enabled">,
  now: number,
): string[] {
  if (enabled === false || !isSchedule(schedule) || !isTimeZone(timezone ?? "UTC")) return [];
  const times = nextTimes(
    { schedule, timezone, endTime: endTime == null ? null : Date.parse(endTime) },
    now,
    3,
  );
  return times.map((time) => new Date(time).toISOString().replace(/\.000Z$/, "Z"));
}
