import type { DialectRules, FieldRule } from "./rules";

const setting: FieldRule = { patch: "changes", revises: false, null: "keeps", evidence: "documented" };
const identity: FieldRule = { patch: "fixed", revises: false, null: "keeps", evidence: "open" };
const revising: FieldRule = { patch: "changes", revises: true, null: "keeps", evidence: "documented" };

/** Rules of the interface document. Any `source_revision_config` creates a revision, and nothing else does. */
export const interfaceRules: DialectRules = {
  fields: {
    name: identity,
    source: identity,
    secrets: { ...setting, emptyList: "a value" },
    "source_config.integration_id": identity,
    "source_config.repo_url": identity,
    "source_config.deployment_type": identity,
    "source_config.build_on_push": setting,
    "source_config.custom_url": { ...setting, null: "clears" },
    "source_config.resource_spec": { ...setting, null: "clears" },
    "source_revision_config.repo_ref": revising,
    "source_revision_config.graph_config_path": revising,
    "source_revision_config.image_uri": { ...revising, null: "clears" },
  },
  emptyRevisionConfigRevises: true,
  sources: { "*": { required: [], forbidden: [], firstRevision: true } },
  reservedSecrets: [],
  reservedInTheCloud: [],
  freeSecrets: ["PATH", "LANGSMITH_API_KEY", "DATABASE_URI"],
  tenantAlways: true,
  superseded: [],
  resolvesRefs: false,
};
