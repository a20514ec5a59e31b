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

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** When a cron runs, and until when. */
export interface Timing {
  schedule: string;
  /** IANA name; null = UTC. */
  timezone: string | null;
  /** Milliseconds since 1970. */
  endTime: number | null;
}

/** The first time after `after` at which it runs; null if there is none any more. */
export function nextRun({ schedule, timezone, endTime }: Timing, after: number): number | null {
  const next = new Cron(schedule, { ...options, timezone: timezone ?? "UTC" }).nextRun(new Date(after));
  if (!next || (endTime !== null && next.getTime() > endTime)) return null;
  return next.getTime();
}
