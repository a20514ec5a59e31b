import type { Change } from "./change";
import type { CommonCode, Reason } from "./reasons";

export type { Change, CommonEffect } from "./change";
export { listChanges, logLine } from "./log-line";
export { type CommonCode, commonNotes, type FieldCode, type Reason, reasonsAbout } from "./reasons";
export { shortText } from "./short-text";
export { commonWords, type Words } from "./words";

/** What has to be done to get from what is in state to what is wanted, and why. */
export interface Plan<Code extends string = CommonCode> {
  /** In a replacement, the resource is deleted and created again. */
  action: "none" | "update" | "replace";
  changes: Change[];
  /** None where there is nothing to do. */
  reasons: Reason<Code>[];
}
