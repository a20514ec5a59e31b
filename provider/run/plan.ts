import { planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import { commonWords } from "../resource/plan";
import type { RunInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  triggers: "patch",
  assistant: "state",
  threadId: "state",
  input: "state",
  command: "state",
  config: "state",
  context: "state",
  metadata: "state",
};

/** Sorts every change. Pure. */
export function plan(question: PlanQuestion<RunInputs, RunInputs>) {
  return planByFields(effects, question, () => false);
}

/** What the reasons of a run's plan say. */
export const words = {
  ...commonWords,
  patch: "runs again",
  "patch?": "may run again, value not known yet",
  state: "is used by the next run, nothing is sent",
  "state?": "is used by the next run, nothing is sent, value not known yet",
};
