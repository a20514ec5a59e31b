import { hasUnknown } from "../resource/inputs/unknown";
import type { PlanQuestion } from "../resource/kind";
import {
  changesConnection,
  managed,
  planByFields,
  type FieldEffect,
  type FieldEffects,
} from "../resource/plan/field-plan";
import type { CronInputs } from "./inputs";
import { isSameAssistant } from "./mapping";
import type { CronState } from "./state";

/** Effect of a change to a field that servers accept but cannot clear. */
const cannotBeCleared: FieldEffect = (from, to) => {
  if (to === undefined) return "state";
  if (to !== null) return "patch";
  return from === undefined || from === null ? "state" : "replace";
};

const effects: FieldEffects = {
  // Servers need not report the assistant of an imported cron; an update stores it in state.
  assistant: (from) => (from === undefined ? "state" : "replace"),
  threadId: "replace",
  cronId: "state",
  adopt: "state",
  schedule: "patch",
  timezone: managed("patch"),
  endTime: managed("patch"),
  enabled: managed("patch"),
  input: cannotBeCleared,
  config: managed("patch"),
  context: managed("patch"),
  metadata: { map: managed("patch") },
  webhook: cannotBeCleared,
  interruptBefore: managed("patch"),
  interruptAfter: managed("patch"),
  onRunCompleted: managed("patch"),
  multitaskStrategy: (from, to) =>
    to === undefined || (to ?? "enqueue") === (from ?? "enqueue") ? "state" : "replace",
  durability: managed("patch"),
};

/**
 * Classifies every change. Pure function, shared by preview, diff, and update. A replaced cron is deleted while its
 * successor is created, so that exactly one of the two is active at any time. If the successor is on a different
 * server, its create cannot delete the old cron, so the old cron is deleted first.
 */
export function plan({
  state,
  ...question
}: PlanQuestion<CronInputs, CronInputs & Pick<CronState, "unclearedInputs">>) {
  const { wanted, isSecret } = question;
  const { assistant } = wanted;
  const recorded = state.assistant as string | undefined;
  const isSame = recorded !== undefined && !hasUnknown(assistant) && isSameAssistant(recorded, assistant);
  // The server's values are unknown and may be secret, so they are not displayed.
  const uncleared = (state.unclearedInputs ?? []).filter((name) => wanted[name as keyof CronInputs] === null);
  const stillSet = Object.fromEntries(uncleared.map((name) => [name, true]));
  return planByFields(
    effects,
    {
      ...question,
      state: { ...state, ...(isSame && { assistant }), ...stillSet },
      isSecret: (path) => uncleared.includes(path) || isSecret(path),
    },
    (changes) => changesConnection(changes) || changes.some(({ path }) => path === "deployment.id"),
    ["nextRuns", "unclearedInputs"],
  );
}
