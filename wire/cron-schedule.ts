import { Cron } from "croner";

const options = { mode: "5-part", paused: true } as const;

/** True if the text is a cron schedule of five fields. */
export function isSchedule(schedule: string): boolean {
  if (schedule.trim().split(/\s+/).length !== 5) return false;
  try {
    new Cron(schedule, options);
    return true;
  } catch {
    return false;
  }
}

/** True if this machine knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The times at which a cron runs, and the end of them. */
export interface CronTiming {
  schedule: string;
  /** IANA name; by default UTC. */
  timezone?: string | null | undefined;
  /** Last time at which it may run, in milliseconds since 1970. */
  endTime?: number | null | undefined;
}

/** The next times after `after` at which a cron runs, in milliseconds since 1970; fewer than `count` if it ends earlier. */
export function nextTimes(
  { schedule, timezone, endTime }: CronTiming,
  after: number,
  count: number,
): number[] {
  return new Cron(schedule, { ...options, timezone: timezone ?? "UTC" })
    .nextRuns(count, new Date(after))
    .map((time) => time.getTime())
    .filter((time) => time <= (endTime ?? Infinity));
}
