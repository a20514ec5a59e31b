import { managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import type { AssistantInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  assistantId: "replace",
  graph: "patch",
  name: managed("patch"),
  description: managed("patch"),
  config: managed("patch"),
  context: managed("patch"),
  metadata: managed("patch"),
  pinVersion: "patch",
  adopt: "state",
};

/** While a version is pinned, everything else waits in state. */
const whilePinned: typeof effects = {
  ...Object.fromEntries(Object.keys(effects).map((field) => [field, "state" as const])),
  assistantId: "replace",
  pinVersion: "patch",
};

/** Sorts every change. Pure: preview, diff and update share it. */
export function plan(question: PlanQuestion<AssistantInputs, AssistantInputs>) {
  return planByFields(question.wanted.pinVersion ? whilePinned : effects, question, (changes) =>
    changes.some(({ path }) => path === "connection.url"),
  );
}
