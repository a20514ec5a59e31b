import type { DialectName, DialectTable } from "../../../wire";

export type { DialectName } from "../../../wire";

/** Server behavior in one dialect, as far as the provider depends on it, expressed in the user's field names. */
export interface Dialect {
  name: DialectName;
  /** All differences between dialects, expressed in the field names of the API. */
  table: DialectTable;
  /** Settings for which a PATCH creates a revision, in addition to the source of the revision. */
  revises: { secrets: boolean; sourceConfigFields: ReadonlySet<string> };
  /** Fields of `sourceConfig` that cannot change; a different value requires a new deployment. */
  immutableSourceFields: ReadonlySet<string>;
  /** Fields of `sourceConfig` that a PATCH changes, and that take effect with the next revision. */
  nextRevisionFields: ReadonlySet<string>;
  /** Fields that the server clears if it receives null. For all other fields, null is an error. */
  clearable: ReadonlySet<string>;
}

/** Returns the dialect that a table describes. */
export function dialectFrom(table: DialectTable): Dialect {
  return {
    name: table.name,
    table,
    revises: {
      secrets: table.revises.secrets,
      sourceConfigFields: new Set(table.revises.sourceConfig.map(camelCase)),
    },
    immutableSourceFields: new Set(table.fixedSourceConfig.map(camelCase)),
    nextRevisionFields: new Set(table.nextRevisionSourceConfig.map(camelCase)),
    clearable: new Set(table.clearable.map(camelCase)),
  };
}

function camelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
