import type { Change, CommonCode, Reason } from "./reasons";

export type { Change, CommonEffect } from "./reasons";
export { listChanges, logLine } from "./log-line";
export { type CommonCode, commonNotes, type FieldCode, type Reason, reasonsAbout } from "./reasons";
export { shortText } from "./display-value";
export { commonWords, type Words } from "./reasons";

/** What has to be done to get from what is in state to what is wanted, and why. */
export interface Plan<Code extends string = CommonCode> {
  action: "none" | "update" | "replace";
  /** Whether a resource that is replaced is deleted before the new one is created, unless the program says which. */
  deletesFirst: boolean;
  changes: Change[];
  /** None where there is nothing to do. */
  reasons: Reason<Code>[];
}
