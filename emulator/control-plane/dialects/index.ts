import type { DialectTable, WireSourceConfig, WireSourceRevisionConfig } from "../../../wire";

export type { DialectName, DialectTable as Dialect } from "../../../wire";

/** The source of a revision under the names that the control plane keeps it by, whatever the dialect. */
export function keptRevisionConfig(
  sent: WireSourceRevisionConfig | null | undefined,
  { graphConfigField }: DialectTable,
): WireSourceRevisionConfig | undefined {
  if (!sent) return undefined;
  const { [graphConfigField]: path, ...others } = sent;
  return path === undefined ? others : { ...others, graph_config_path: path };
}

/** Every field of `source_config` that the dialect knows, null where there is no value. */
export function shownSourceConfig(kept: WireSourceConfig, { fields }: DialectTable): WireSourceConfig {
  return Object.fromEntries(fields.sourceConfig.map((field) => [field, kept[field] ?? null]));
}

/** Every field of `source_revision_config` that the dialect knows, null where there is no value. */
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
