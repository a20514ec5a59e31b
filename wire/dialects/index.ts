import { interfaceTable } from "./interface";
import { langsmithTable } from "./langsmith";
import type { DialectName, DialectTable } from "./table";

export { checkedResourceSpec } from "./resource-spec";
export { changesSecrets, makesRevision } from "./revises";
export type { DialectName, DialectTable, SourceRule } from "./table";

/** Tables of all dialects. Both the client and the local control plane use them. */
export const dialectTables: Readonly<Record<DialectName, DialectTable>> = {
  interface: interfaceTable,
  langsmith: langsmithTable,
};

export const dialectNames = Object.keys(dialectTables) as DialectName[];
