import type { Change, Effect } from "./change";
import type { LastRollout } from "./plan";

interface Outcome {
  changes: Change[];
  replaces: boolean;
  newRevision: boolean;
  resumesWait: boolean;
  lastRollout: LastRollout;
}

/** One sentence for each thing that will happen, naming the fields that ask for it. */
export function reasonsFor(outcome: Outcome): string[] {
  const { changes, replaces, newRevision, resumesWait, lastRollout } = outcome;
  const having = (effect: Effect, unknown = false) =>
    changes.filter((change) => change.effect === effect && (change.unknown ?? false) === unknown);
  if (replaces)
    return [
      `is replaced, deleted first, with its threads, assistants, crons and store: ${listChanges(having("replace"))}`,
    ];
  const reasons: string[] = [];
  const add = (text: string, found: Change[]) =>
    found.length > 0 && reasons.push(`${text}: ${listChanges(found)}`);
  add("may be replaced, not known yet", having("replace", true));
  if (newRevision && lastRollout === "failed") reasons.push("needs a new revision: the last rollout failed");
  add("needs a new revision", having("revision"));
  add("needs a new revision, value not known yet", having("revision", true));
  if (resumesWait) reasons.push("goes on waiting for the rollout that had not settled");
  add("patched without a new revision", having("patch"));
  add("patched without a new revision, value not known yet", having("patch", true));
  if (!newRevision && having("patch").some(({ path }) => path.startsWith("secrets")))
    reasons.push("changed secrets take effect at the next revision");
  add("must be what the server chose, for it cannot be changed in place", [
    ...having("confirm"),
    ...having("confirm", true),
  ]);
  add("kept in state, nothing is sent", [...having("state"), ...having("state", true)]);
  return reasons;
}

/** The changed paths, with old and new values where they may be shown. */
export function listChanges(changes: Change[]): string {
  return changes
    .map(({ path, values }) => (values ? `${path} ${values.from} → ${values.to}` : path))
    .join(", ");
}
