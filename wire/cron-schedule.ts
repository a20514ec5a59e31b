import { Cron, type CronOptions } from "croner";

/** Names that the public server accepts as schedules. */
const named = /^@(hourly|daily|midnight|weekly|monthly|yearly|annually)$/i;

/** True if the text is a cron schedule: five fields, six fields with the seconds last, or a name such as `@daily`. */
export function isSchedule(schedule: string): boolean {
  try {
    cronOf(schedule);
    return true;
  } catch {
    return false;
  }
}

/** True if a valid schedule does not match any time, for example one for February 30. */
export function neverFires(schedule: string): boolean {
  return nextTimes({ schedule }, 0, 1).length === 0;
}

/** True if servers accept the time zone: an IANA name in its exact spelling, and not an offset such as `+02:00`. */
export function isTimeZone(name: string): boolean {
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    const isOtherCase = known !== name && known.toLowerCase() === name.toLowerCase();
    return /^[a-z]/i.test(name) && !isOtherCase;
  } catch {
    return false;
  }
}

/** Schedule of a cron, its time zone, and its end time. */
export interface CronTiming {
  schedule: string;
  /** IANA name of the time zone; UTC by default. */
  timezone?: string | null | undefined;
  /** Time after which the cron no longer starts runs, in milliseconds since 1970. */
  endTime?: number | null | undefined;
}

/**
 * Returns the next run times after `after`, in milliseconds since 1970; fewer than `count` if the cron ends earlier.
 */
export function nextTimes(
  { schedule, timezone, endTime }: CronTiming,
  after: number,
  count: number,
): number[] {
  return cronOf(schedule, { timezone: timezone ?? "UTC" })
    .nextRuns(count, new Date(after))
    .map((time) => time.getTime())
    .filter((time) => time <= (endTime ?? Infinity));
}

/**
 * Returns the last run time after `after` and up to `until`; `undefined` if there is none. In an hour that a clock
 * change repeats or skips, the result may differ from that of `nextTimes`.
 */
export function lastTime(
  { schedule, timezone, endTime }: CronTiming,
  after: number,
  until: number,
): number | undefined {
  const end = Math.min(until, endTime ?? Infinity);
  const [last] = cronOf(schedule, { timezone: timezone ?? "UTC" }).previousRuns(1, new Date(end + 1));
  return last && last.getTime() > after ? last.getTime() : undefined;
}

/**
 * Parses a schedule, and rejects syntax that the servers do not support.
 * @throws if the schedule is not valid
 */
function cronOf(schedule: string, options: CronOptions = {}): Cron {
  if (named.test(schedule)) return new Cron(schedule, { ...options, paused: true });
  const fields = schedule.trim().split(/\s+/);
  const [seconds] = fields.splice(5, 1);
  const [minute, hour, , month, weekday] = fields;
  // The library would also accept fields that servers reject.
  if (
    fields.length !== 5 ||
    /\+|lw/i.test(schedule) ||
    /l/i.test(weekday!) ||
    [minute, hour, month, seconds].some((field) => field?.includes("?"))
  )
    throw new TypeError("Not a cron schedule");
  return seconds === undefined
    ? new Cron(fields.join(" "), { ...options, paused: true, mode: "5-part" })
    : new Cron([seconds, ...fields].join(" "), { ...options, paused: true, mode: "6-part" });
}
