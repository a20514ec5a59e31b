import type { Change, CommonCode, Reason } from "./reasons";

export type { Change, ChangeSummary, CommonEffect } from "./reasons";
export { listChanges, logLine } from "./log-line";
export { type CommonCode, commonNotes, type FieldCode, type Reason, reasonsAbout } from "./reasons";
export { shortText } from "./display-value";
export { commonWords, type Words } from "./reasons";

/** Actions that lead from the state to the desired inputs, with the reasons for them. */
export interface Plan<Code extends string = CommonCode> {
  action: "none" | "update" | "replace";
  /**
   * True if a resource that is replaced is deleted before the new one is created, unless the program specifies the
   * order.
   */
  deletesFirst: boolean;
  changes: Change[];
  /** Names of the outputs that an update may change; by default none. */
  changedOutputs?: readonly string[];
  /** Reasons for the action; empty if nothing changes. */
  reasons: Reason<Code>[];
}
