import { planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import type { StoreItemInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  namespace: "replace",
  key: "replace",
  value: "patch",
  index: "patch",
  ttl: "patch",
  adopt: "state",
};

/** Sorts every change. Pure. */
export function plan(question: PlanQuestion<StoreItemInputs, StoreItemInputs>) {
  return planByFields(effects, question, (changes) => changes.some(({ path }) => path === "connection.url"));
}
