import { managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import type { ListenerInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  computeId: "replace",
  namespaces: "patch",
  version: managed("patch"),
  adopt: "state",
};

/** Sorts every change. Pure. */
export function plan(question: PlanQuestion<ListenerInputs, ListenerInputs>) {
  return planByFields(effects, question, () => false);
}
