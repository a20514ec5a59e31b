import { isSchedule, isTimeZone, neverFires } from "../../wire/cron-schedule";
import { checkAssistant } from "../assistant/assistant-question";
import type { IsSecret } from "../resource/call";
import type { AgentServerChecks } from "../resource/checks";
import { info, warning, type Finding } from "../resource/inputs/finding";
import { nullablePaths } from "../resource/inputs/shape";
import type { DesiredInputs } from "../resource/inputs/wanted";
import type { AgentServerKind } from "../resource/kind";
import { untilUnchanged } from "../resource/guard";
import { distinctOwners } from "../resource/ownership/derived-id";
import { commonWords } from "../resource/plan";
import { cronInputs, type CronInputs } from "./inputs";
import { plan } from "./plan";
import { createCron, deleteCron, readCron, updateCron } from "./reconcile";
import { cronState, nextRuns, type CronState } from "./state";

/** Resource kind for crons on an agent server (`/runs/crons`). */
export const cronKind = (): AgentServerKind<CronInputs, CronState> => ({
  type: "Cron",
  endpointType: "agent server",
  idForm: "<cron ID>",
  inputs: cronInputs,
  // The schema of the input accepts any value, including `null`.
  clearable: [...nullablePaths(cronInputs), "input"],
  outputs: cronState.outputs,
  restorableOutputs: ["nextRuns"],
  tagOutputs: ["nextRuns"],
  secretCopies: (_state, isSecret) => (timeInputs.some(isSecret) ? [["nextRuns"]] : []),
  readState: cronState.read,
  checks: cronChecks,
  plan: ({ state, ...question }) => plan({ ...question, state }),
  words: commonWords,
  create: (op, inputs, predecessor) => untilUnchanged(() => createCron(op, inputs, predecessor)),
  read: readCron,
  update: (...given) => untilUnchanged(() => updateCron(...given)),
  delete: (op, id, _known, _successor, replacement) => deleteCron(op, id, replacement?.id),
});

function cronChecks(): AgentServerChecks {
  return {
    compareResources: distinctOwners(),
    rules: checkTimes,
    questions: [(wanted, sources) => checkAssistant(wanted, sources)],
  };
}

/** Inputs from which the times of the runs are computed. */
const timeInputs = ["schedule", "timezone", "endTime"];

/**
 * Reports the next times at which the cron starts a run if the program determines them and they are not secret. Warns
 * if the program determines that the cron ends before its first run.
 */
function checkTimes(wanted: DesiredInputs, now: number, isSecret: IsSecret): Finding[] {
  const schedule = wanted.text("schedule");
  const parts = [...timeInputs, "enabled"];
  if (
    !schedule ||
    !isSchedule(schedule) ||
    neverFires(schedule) ||
    !parts.some((part) => wanted.changes(part))
  )
    return [];
  if (parts.some((part) => wanted.isUnknown(part)) || wanted.knownValue("enabled") === false) return [];
  const timing = { schedule, timezone: wanted.text("timezone"), endTime: wanted.text("endTime") };
  if (timing.timezone !== undefined && !isTimeZone(timing.timezone)) return [];
  // An existing cron keeps its values for the inputs that the program omits.
  const mayKeep = !wanted.isNew || !wanted.lacks("cronId");
  const isKept = (part: string) => mayKeep && wanted.lacks(part);
  const times = nextRuns(timing, now);
  if (times.length === 0)
    return timeInputs.some(isKept)
      ? []
      : [warning("endTime", "is before the next time of the schedule, so the cron never runs")];
  const isReported = !parts.some(isKept) && !timeInputs.some(isSecret);
  return isReported ? [info("", `runs next at ${times.join(", ")}`)] : [];
}
