/** What a changed field may ask for in every kind. */
export type CommonEffect =
  /** The service cannot change it: the resource is deleted and created again. */
  | "replace"
  /** Sent as a change of the resource. */
  | "patch"
  /** Kept in state only; nothing is sent. */
  | "state";

/** One changed field. */
export interface Change<Effect extends string = string> {
  /** For example `sourceRevisionConfig.repoRef`. */
  path: string;
  effect: Effect;
  /** The new value is not known yet (preview only). */
  unknown?: true;
  /** Old and new value; left out for secrets and unknown values. */
  values?: { from: unknown; to: unknown };
}
