import type { DialectName, DialectTable } from "../../../wire";

export type { DialectName } from "../../../wire";

/** What servers of one dialect do, as far as the provider depends on it, in the words that users write. */
export interface Dialect {
  name: DialectName;
  /** All in which dialects differ, in the words that travel. */
  table: DialectTable;
  /** Whether a PATCH of this part of the deployment, besides the revision's own source, makes a revision. */
  revises: { secrets: boolean; sourceConfigFields: ReadonlySet<string> };
  /** Fields of `sourceConfig` that are given for good: another value is another deployment. */
  fixedSourceFields: ReadonlySet<string>;
  /** Fields of `sourceConfig` that a PATCH changes, and that only the next revision is made from. */
  nextRevisionFields: ReadonlySet<string>;
  /** Fields that the server clears when it is sent null; elsewhere null is a mistake. */
  clearable: ReadonlySet<string>;
}

/** The dialect that a table describes. */
export function dialectFrom(table: DialectTable): Dialect {
  return {
    name: table.name,
    table,
    revises: {
      secrets: table.revises.secrets,
      sourceConfigFields: new Set(table.revises.sourceConfig.map(camelCase)),
    },
    fixedSourceFields: new Set(table.fixedSourceConfig.map(camelCase)),
    nextRevisionFields: new Set(table.nextRevisionSourceConfig.map(camelCase)),
    clearable: new Set(table.clearable.map(camelCase)),
  };
}

function camelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
