import { interfaceTable } from "./interface";
import { langsmithTable } from "./langsmith";
import type { DialectName, DialectTable } from "./table";

export { checkedResourceSpec } from "./resource-spec";
export { changesSecrets, makesRevision } from "./revises";
export type { DialectName, DialectTable, SourceRule } from "./table";

/** What every dialect is like: the one table from which both the client and the local control plane work. */
export const dialectTables: Readonly<Record<DialectName, DialectTable>> = {
  interface: interfaceTable,
  langsmith: langsmithTable,
};

/** The names of all dialects. */
export const dialectNames = Object.keys(dialectTables) as DialectName[];
