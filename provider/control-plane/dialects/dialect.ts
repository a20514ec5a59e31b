/** Name of a dialect, as it stands in state. */
export type DialectName = "interface";

/** What servers of one dialect do, as far as the provider depends on it. */
export interface Dialect {
  name: DialectName;
  /** Whether a PATCH of this part of the deployment, besides the revision's own source, makes a revision. */
  revises: { secrets: boolean; sourceConfigFields: ReadonlySet<string> };
  /** Fields that the server clears when it is sent null; elsewhere null is a mistake. */
  clearable: ReadonlySet<string>;
}
