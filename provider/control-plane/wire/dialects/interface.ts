import type { DialectTable } from "./table";

/** The interface document: `source_revision_config`, and nothing else, makes a revision. */
export const interfaceTable: DialectTable = {
  name: "interface",
  graphConfigField: "graph_config_path",
  fields: {
    create: ["name", "source", "source_config", "source_revision_config", "secrets"],
    patch: ["name", "source", "source_config", "source_revision_config", "secrets", "display_name"],
    sourceConfig: [
      "integration_id",
      "repo_url",
      "deployment_type",
      "build_on_push",
      "custom_url",
      "resource_spec",
    ],
    sourceRevisionConfig: ["repo_ref", "graph_config_path", "image_uri"],
  },
  requiredOnCreate: ["name", "source", "source_config", "source_revision_config"],
  sources: undefined,
  deploymentTypes: undefined,
  defaultDeploymentType: undefined,
  sourceRules: { "*": { required: [], forbidden: [], firstRevision: true } },
  listenerRequired: [],
  listenerSources: [],
  fixedSourceConfig: ["repo_url", "integration_id", "deployment_type"],
  disputedSourceConfig: [],
  clearable: ["source_config.custom_url", "source_config.resource_spec", "source_revision_config.image_uri"],
  emptySecrets: "clear",
  revises: { sourceRevisionConfig: "there", sourceConfig: [], secrets: false, others: [] },
  tenantHeader: "always",
  supersededStatuses: [],
  resolvesRefs: false,
  logTypeRequired: false,
  reservedSecrets: undefined,
  refusesPushedTags: false,
  checksResourceSpec: false,
};
