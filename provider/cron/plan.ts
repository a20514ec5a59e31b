import { managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import type { CronInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  assistant: "replace",
  threadId: "replace",
  cronId: "state",
  schedule: "patch",
  timezone: managed("patch"),
  endTime: managed("patch"),
  enabled: managed("patch"),
  input: managed("patch"),
  config: managed("patch"),
  context: managed("patch"),
  metadata: managed("patch"),
  webhook: managed("patch"),
  interruptBefore: managed("patch"),
  interruptAfter: managed("patch"),
  onRunCompleted: managed("patch"),
  multitaskStrategy: "replace",
  durability: managed("patch"),
};

/** Sorts every change. Pure: preview, diff and update share it. Two of one cron would fire twice, so the old one goes first. */
export function plan(question: PlanQuestion<CronInputs, CronInputs>) {
  return planByFields(effects, question, () => true);
}
