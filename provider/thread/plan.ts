import { managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import type { ThreadInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  threadId: "replace",
  graph: managed("patch"),
  metadata: managed("patch"),
  ttl: managed("patch"),
  // What a thread began with is past.
  supersteps: "state",
  state: "state",
  forceDelete: "state",
};

/** Sorts every change. Pure. */
export function plan(question: PlanQuestion<ThreadInputs, ThreadInputs>) {
  return planByFields(effects, question, (changes) => changes.some(({ path }) => path === "connection.url"));
}
