import { managed, planByFields, type FieldEffect } from "../resource/plan/field-plan";
import type { PlanQuestion } from "../resource/kind";
import { type Change, commonWords, reasonsAbout, type CommonEffect } from "../resource/plan";
import { hasUnknown } from "../resource/inputs/unknown";
import type { StoreItemsInputs } from "./inputs";

const effects: Readonly<Record<string, FieldEffect>> = {
  namespace: "replace",
  folder: "state",
  index: managed("patch"),
  ttl: managed("patch"),
  prune: "state",
  adopt: "state",
};

/** Keys that a reason names. */
const namedKeys = 10;

/** Sorts every change; items are compared by the hashes of their values. Pure. */
export function plan(question: PlanQuestion<StoreItemsInputs, StoreItemsInputs>) {
  const found = planByFields(effects, question, (changes) =>
    changes.some(({ path }) => path === "connection.url"),
  );
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
}: PlanQuestion<StoreItemsInputs, StoreItemsInputs>): Change<CommonEffect>[] {
  if (hasUnknown(wanted.items) || hasUnknown(wanted.folder))
    return [{ path: "items", effect: "patch", unknown: true }];
  const difference = compared(state.itemHashes ?? {}, wanted.itemHashes ?? {});
  const { added, changed, removed } = difference;
  if (added.length + changed.length + removed.length === 0) return [];
  const said = [
    ...(added.length > 0 ? [`${added.length} new (${named(added)})`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed (${named(changed)})`] : []),
    ...(removed.length > 0 ? [`${removed.length} gone (${named(removed)})`] : []),
  ];
  const from = Object.keys(state.itemHashes ?? {}).length;
  return [{ path: "items", effect: "patch", values: { from, to: said.join(", ") } }];
}

/** The keys in which two sets of items differ. */
export function compared(before: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>) {
  const keys = Object.keys(wanted);
  return {
    added: keys.filter((key) => !Object.hasOwn(before, key)),
    changed: keys.filter((key) => Object.hasOwn(before, key) && before[key] !== wanted[key]),
    removed: Object.keys(before).filter((key) => !Object.hasOwn(wanted, key)),
  };
}

function named(keys: readonly string[]): string {
  const rest = keys.length - namedKeys;
  return [...keys.slice(0, namedKeys), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** What the reasons of its plans say. */
export const words = {
  ...commonWords,
  patch: "put into the store",
  "patch?": "put into the store, value not known yet",
};
