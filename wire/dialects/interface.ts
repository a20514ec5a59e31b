import type { DialectTable } from "./table";

/**
 * The `interface` dialect, which the interface document describes. Only `source_revision_config` creates a revision.
 */
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
    resourceTiers: [],
  },
  fieldSources: {},
  requiredOnCreate: ["name", "source", "source_config", "source_revision_config"],
  sources: undefined,
  revisionSources: undefined,
  deploymentTypes: undefined,
  defaultDeploymentType: undefined,
  names: undefined,
  sourceRules: { "*": { required: [], forbidden: [], firstRevision: true } },
  listenerRequired: [],
  checksReferences: false,
  fixedSourceConfig: ["repo_url", "integration_id", "deployment_type"],
  nextRevisionSourceConfig: [],
  clearable: ["source_config.custom_url", "source_config.resource_spec", "source_revision_config.image_uri"],
  emptySecrets: "clear",
  revises: { sourceRevisionConfig: "there", sourceConfig: [], secrets: false, others: [] },
  redeploys: false,
  tenantHeader: "always",
  supersededStatuses: [],
  resolvesRefs: false,
  widerAuthentication: false,
  logTypeRequired: false,
  reservedSecrets: undefined,
  reservedInTheCloud: undefined,
  refusesPushedTags: false,
  checksResourceSpec: false,
  resourceSpecDefaults: {},
};
