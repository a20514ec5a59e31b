import { Cron } from "croner";

const options = { mode: "5-part", paused: true } as const;

/** Whether this is a schedule of five fields. */
export function isSchedule(schedule: string): boolean {
  if (schedule.trim().split(/\s+/).length !== 5) return false;
  try {
    new Cron(schedule, options);
    return true;
  } catch {
    return false;
  }
}

/** Whether this is the name of a time zone that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** When a cron fires. */
export interface Timing {
  schedule: string;
  /** Name of a time zone; by default UTC. */
  timezone?: string | undefined;
  /** ISO time after which it does not fire. */
  endTime?: string | null | undefined;
  enabled?: boolean | undefined;
}

/** The next times at which it fires, as ISO times; none for one that is not enabled. */
export function nextTimes({ schedule, timezone = "UTC", endTime, enabled }: Timing, now: number): string[] {
  if (enabled === false) return [];
  const end = endTime == null ? Infinity : Date.parse(endTime);
  return new Cron(schedule, { ...options, timezone })
    .nextRuns(3, new Date(now))
    .filter((time) => time.getTime() <= end)
    .map((time) => time.toISOString().replace(/\.000Z$/, "Z"));
}
