import type { DialectTable, WireSourceConfig, WireSourceRevisionConfig } from "../../../wire";

export type { DialectName, DialectTable as Dialect } from "../../../wire";

/**
 * Returns the source of a revision with the field names that the control plane stores, which are the same for all
 * dialects.
 */
export function keptRevisionConfig(
  sent: WireSourceRevisionConfig | null | undefined,
  { graphConfigField }: DialectTable,
): WireSourceRevisionConfig | undefined {
  if (!sent) return undefined;
  const { [graphConfigField]: path, ...others } = sent;
  return path === undefined ? others : { ...others, graph_config_path: path };
}

/** Returns every `source_config` field in the dialect. Fields without a value are null. */
export function shownSourceConfig(kept: WireSourceConfig, { fields }: DialectTable): WireSourceConfig {
  return Object.fromEntries(fields.sourceConfig.map((field) => [field, kept[field] ?? null]));
}

/** Returns every `source_revision_config` field in the dialect. Fields without a value are null. */
export function shownRevisionConfig(
  kept: WireSourceRevisionConfig | undefined,
  { fields, graphConfigField }: DialectTable,
): WireSourceRevisionConfig {
  return Object.fromEntries(
    fields.sourceRevisionConfig.map((field) => [
      field,
      kept?.[field === graphConfigField ? "graph_config_path" : field] ?? null,
    ]),
  );
}
