import type { Dialect } from "./dialect";

/** The interface document's own dialect: only `source_revision_config` makes a revision. */
export const interfaceDialect: Dialect = {
  name: "interface",
  revises: { secrets: false, sourceConfigFields: new Set() },
  clearable: new Set([
    "sourceConfig.customUrl",
    "sourceConfig.resourceSpec",
    "sourceRevisionConfig.imageUri",
  ]),
};
