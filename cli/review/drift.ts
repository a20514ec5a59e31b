import { isOwnedByAnother, readReasons } from "../../provider/deployment/plan/read-reasons";
import type { RefreshFinding } from "./preview/preview";
import type { Drift } from "./report";

/** Returns the differences that a refresh found, or `undefined` if there are none. */
export function driftOf(refresh: RefreshFinding | undefined): Drift | undefined {
  if (!refresh) return undefined;
  if (refresh.gone) return { gone: true, changes: [], notes: [] };
  if (refresh.reasons === undefined) return undefined;
  const plan = readReasons(refresh.reasons);
  // A rollout that failed or has not settled concerns the next update, and is not a difference from state.
  const changes = plan.changes
    .filter(({ effect }) => effect !== "state")
    // The engine reports how to change the actual values to the recorded ones.
    .map(({ path, values }) => ({ path, ...(values && { recorded: values.to, found: values.from }) }));
  const notes = [...(isOwnedByAnother(plan) ? ["another Pulumi resource owns it now"] : []), ...plan.unread];
  return changes.length > 0 || notes.length > 0 ? { gone: false, changes, notes } : undefined;
}
