import type { DialectRules, FieldRule } from "./rules";

const setting: FieldRule = { patch: "changes", revises: false, null: "keeps", evidence: "documented" };
const revising: FieldRule = { ...setting, revises: true };
const identity: FieldRule = { ...setting, patch: "fixed" };
const cluster = { source: "external_docker" };
const archive = { source: "internal_source" };
const configuration = "source_revision_config.langgraph_config_path";

/** Rules of the public service, according to its documentation and its official clients. */
export const langsmithRules: DialectRules = {
  fields: {
    name: identity,
    source: identity,
    display_name: setting,
    tracked_repo_ref: setting,
    revision_source: { ...setting, evidence: "open" },
    route_through_gateway: { ...setting, evidence: "open" },
    deployment_tier: revising,
    secrets: { ...revising, emptyList: "nothing" },
    secret_references: { ...revising, ...cluster, emptyList: "a value", evidence: "clients" },
    "source_config.integration_id": identity,
    "source_config.repo_url": { ...setting, patch: "later" },
    "source_config.deployment_type": identity,
    "source_config.build_on_push": setting,
    "source_config.custom_url": { ...setting, ...cluster },
    "source_config.resource_spec": { ...revising, ...cluster },
    "source_config.listener_id": { ...identity, ...cluster },
    "source_config.listener_config": { ...identity, ...cluster },
    "source_config.install_command": revising,
    "source_config.build_command": revising,
    "source_config.template_id": { ...identity, source: "internal_template", evidence: "clients" },
    "source_revision_config.repo_ref": revising,
    "source_revision_config.langgraph_config_path": revising,
    "source_revision_config.image_uri": { ...revising, ...cluster },
    "source_revision_config.source_tarball_path": { ...revising, ...archive },
  },
  emptyRevisionConfigRevises: false,
  sources: {
    github: {
      required: ["source_config.repo_url", "source_revision_config.repo_ref", configuration],
      forbidden: [],
      firstRevision: true,
    },
    external_docker: {
      required: ["source_config.resource_spec", "source_revision_config.image_uri"],
      forbidden: ["source_config.deployment_type", configuration],
      firstRevision: true,
    },
    // The documents specify the configuration path in the create request; the client sends it with the archive.
    internal_source: { required: [], forbidden: [], firstRevision: false },
    internal_docker: { required: [], forbidden: [configuration], firstRevision: false },
    internal_template: { required: [], forbidden: [configuration], firstRevision: true },
  },
  defaultType: "prod",
  // Names that the official client does not send.
  reservedSecrets: [
    "DATABASE_URI",
    "DD_TRACE_PSYCOPG_ENABLED",
    "DD_TRACE_REDIS_ENABLED",
    "LANGCHAIN_API_KEY",
    "LANGCHAIN_CALLBACKS_BACKGROUND",
    "LANGCHAIN_ENDPOINT",
    "LANGCHAIN_PROJECT",
    "LANGCHAIN_TRACING_V2",
    "LANGGRAPH_AUTH_TYPE",
    "LANGGRAPH_CLOUD_LICENSE_KEY",
    "LANGGRAPH_GIT_REPO_PATH",
    "LANGSMITH_AUTH_ENDPOINT",
    "LANGSMITH_AUTH_VERIFY_TENANT_ID",
    "LANGSMITH_CONTROL_PLANE_API_KEY",
    "LANGSMITH_DEPLOYMENT_NAME",
    "LANGSMITH_HOST_*",
    "LANGSMITH_LANGGRAPH_GIT_REF",
    "LANGSMITH_LANGGRAPH_GIT_REF_SHA",
    "LANGSMITH_LANGGRAPH_GIT_REPO",
    "LANGSMITH_PROJECT",
    "LANGSMITH_TENANT_ID",
    "LANGSMITH_TRACING_V2",
    "LOG_DICT_TRACEBACKS",
    "LOG_JSON",
    "LSD_*",
    "MOUNT_PREFIX",
    "PATH",
    "PORT",
    "POSTGRES_PASSWORD",
    "POSTGRES_URI",
    "REDIS_URI",
  ],
  reservedInTheCloud: ["LANGSMITH_API_KEY", "LANGSMITH_ENDPOINT", "POSTGRES_URI_CUSTOM", "REDIS_URI_CUSTOM"],
  freeSecrets: ["LANGSMITH_ENDPOINTS", "MY_PATH", "PATHS", "POSTGRES_URI_CUSTOMS"],
  tenantAlways: false,
  superseded: ["SKIPPED"],
  resolvesRefs: true,
};
