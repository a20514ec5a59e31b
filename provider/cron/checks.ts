import type { AgentServerChecks } from "../resource/checks";
import { info, warning, type Finding } from "../resource/inputs/finding";
import type { DesiredInputs } from "../resource/inputs/wanted";
import { isSchedule, isTimeZone, nextTimes } from "./schedule";

/** How crons are checked in a run. */
export function cronChecks(): AgentServerChecks {
  return { rules: (wanted, now) => whetherItFires(wanted, now), questions: [] };
}

/** A cron that never fires is allowed, and worth a word. */
function whetherItFires(wanted: DesiredInputs, now: number): Finding[] {
  const schedule = wanted.text("schedule");
  const parts = ["schedule", "timezone", "endTime", "enabled"];
  if (!schedule || !isSchedule(schedule) || !parts.some((part) => wanted.changes(part))) return [];
  if (parts.some((part) => wanted.isUnknown(part)) || wanted.known("enabled") === false) return [];
  const timing = { schedule, timezone: wanted.text("timezone"), endTime: wanted.text("endTime") };
  if (timing.timezone !== undefined && !isTimeZone(timing.timezone)) return [];
  const times = nextTimes(timing, now);
  if (times.length > 0) return [info("", `fires next at ${times.join(", ")}`)];
  const reason =
    timing.endTime === undefined
      ? "names no time that ever comes"
      : "is before the first time that the schedule names, so it never fires";
  return [warning(timing.endTime === undefined ? "schedule" : "endTime", reason)];
}
