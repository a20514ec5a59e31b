import type { Change } from "./change";
import type { Reason } from "./reasons";

export type { Change } from "./change";
export { type Reason, reasonsFor } from "./reasons";
export { listChanges, logLine } from "./words";

/** What has to be done to get from what is in state to what is wanted, and why. */
export interface Plan {
  /** In a replacement, the resource is deleted and created again. */
  action: "none" | "update" | "replace";
  changes: Change[];
  /** None where there is nothing to do. */
  reasons: Reason[];
}
