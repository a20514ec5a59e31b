import { Cron } from "croner";
import { inAllStacks, resourcePolicy } from "../pack/record";
import { wholeNumber } from "../pack/settings";

/**
 * Number of run times to check per schedule. For a schedule that fires every half hour, this covers more than a day.
 */
const times = 60;

export const cronInterval = resourcePolicy(["Cron"], {
  name: "cron-interval",
  text: "Crons must not run too often, because each run costs money.",
  severity: "medium",
  enforcement: "advisory",
  settings: { ...inAllStacks, minutes: wholeNumber("Minimum interval between two runs, in minutes.", 5, 1) },
  *check(cron, { minutes }) {
    if (cron.valueAt("enabled") === false) return;
    yield cron.judge("schedule", (schedule) => {
      const shortest = typeof schedule === "string" ? shortestInterval(schedule) : undefined;
      if (shortest === undefined || shortest >= minutes) return undefined;
      return {
        problem: `fires every ${inWords(shortest).replace(/^1 /, "")}; the minimum interval is ${inWords(minutes)}`,
        fix: "Use a schedule with longer intervals.",
      };
    });
  },
});

function inWords(minutes: number): string {
  const [count, unit] = minutes < 1 ? [Math.round(minutes * 60), "second"] : [minutes, "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * Returns the shortest interval between upcoming runs of a schedule, in minutes, or `undefined` if the schedule is
 * invalid or has fewer than two runs.
 */
function shortestInterval(schedule: string): number | undefined {
  let runs: Date[];
  try {
    // Servers expect the seconds in the sixth field; the library expects them in the first.
    const fields = schedule.trim().split(/\s+/);
    const [seconds] = fields.splice(5, 1);
    const pattern = seconds === undefined ? fields : [seconds, ...fields];
    // Time zones shift all runs equally, except for the hour that a clock change removes or adds.
    runs = new Cron(pattern.join(" "), { timezone: "UTC", paused: true }).nextRuns(times, new Date(0));
  } catch {
    return undefined;
  }
  const pauses = runs.slice(1).map((run, at) => (run.getTime() - runs[at]!.getTime()) / 60_000);
  return pauses.length > 0 ? Math.min(...pauses) : undefined;
}
