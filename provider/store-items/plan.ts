import { changesConnection, managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import {
  type Change,
  type ChangeSummary,
  commonWords,
  reasonsAbout,
  type CommonEffect,
} from "../resource/plan";
import { hasUnknown } from "../resource/inputs/unknown";
import { hidden } from "../text/redact";
import type { StoreItemsInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  namespace: "replace",
  folder: "state",
  allowEmpty: "state",
  index: managed("patch"),
  ttl: managed("patch"),
  prune: "state",
  adopt: "state",
};

/** Classifies every change. Items are compared by the hashes of their values. Pure function. */
export function plan(question: PlanQuestion<StoreItemsInputs, StoreItemsInputs>) {
  const found = planByFields(effects, question, changesConnection);
  const changes = [...found.changes, ...itemChanges(question)];
  const replaces = found.action === "replace";
  return {
    ...found,
    action: replaces ? found.action : changes.length > 0 ? ("update" as const) : ("none" as const),
    changes,
    reasons: reasonsAbout(changes, replaces)(
      "replace",
      "patch",
      "patch?",
      "remove",
      "along",
      "along?",
      "state",
      "state?",
    ),
  };
}

function itemChanges({
  state,
  wanted,
  isSecret,
}: PlanQuestion<StoreItemsInputs, StoreItemsInputs>): Change<CommonEffect>[] {
  if (hasUnknown(wanted.items) || hasUnknown(wanted.folder))
    return [{ path: "items", effect: "patch", unknown: true }];
  const [before, after] = [state.itemHashes ?? {}, wanted.itemHashes ?? {}];
  const keys = Object.keys(after);
  const added = keys.filter((key) => !Object.hasOwn(before, key));
  const changed = keys.filter((key) => Object.hasOwn(before, key) && before[key] !== after[key]);
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const shown = (part: string[]) => part.map((key) => (isSecret(`items.${key}`) ? hidden : key));
  const none: string[] = [];
  const change = (effect: CommonEffect, summary: Exclude<ChangeSummary, string>): Change<CommonEffect>[] =>
    Object.values(summary).flat().length > 0 ? [{ path: "items", effect, summary }] : [];
  return [
    ...change("patch", { added: shown(added), changed: shown(changed), removed: none }),
    ...change(wanted.prune === false ? "state" : "remove", {
      added: none,
      changed: none,
      removed: shown(removed),
    }),
  ];
}

/** Texts of the reasons in plans for store items. */
export const words = {
  ...commonWords,
  patch: "put into the store",
  "patch?": "put into the store (value not known yet)",
};
