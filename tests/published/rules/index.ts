import type { DialectName } from "../../../wire";
import { interfaceRules } from "./interface";
import { langsmithRules } from "./langsmith";
import type { DialectRules } from "./rules";

export type { DialectRules, FieldRule } from "./rules";

/** Rules by dialect. They are derived from the documents, not from the tables that are checked against them. */
export const dialectRules: Readonly<Record<DialectName, DialectRules>> = {
  interface: interfaceRules,
  langsmith: langsmithRules,
};
