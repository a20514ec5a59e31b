import type { DialectTable } from "./table";

/** Environment variable names that the public service reserves. */
const reservedSecrets = oneOf(
  "LANGCHAIN_TRACING_V2",
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_ENDPOINT",
  "LANGCHAIN_PROJECT",
  "LANGSMITH_PROJECT",
  "LANGCHAIN_API_KEY",
  "LANGCHAIN_CALLBACKS_BACKGROUND",
  "LANGGRAPH_CLOUD_LICENSE_KEY",
  "LANGGRAPH_GIT_REPO_PATH",
  "LANGSMITH_AUTH_.*",
  "LANGSMITH_CONTROL_PLANE_API_KEY",
  "LANGSMITH_DEPLOYMENT_NAME",
  "LANGSMITH_LANGGRAPH_GIT_.*",
  "POSTGRES_URI",
  "POSTGRES_PASSWORD",
  "DATABASE_URI",
  "REDIS_URI",
  "LANGGRAPH_AUTH_TYPE",
  "LANGSMITH_TENANT_ID",
  "LANGSMITH_HOST_.*",
  "LOG_JSON",
  "LOG_DICT_TRACEBACKS",
  "DD_TRACE_PSYCOPG_ENABLED",
  "DD_TRACE_REDIS_ENABLED",
  "PATH",
  "PORT",
  "MOUNT_PREFIX",
  "LSD_.*",
);

/** Environment variable names that the public service reserves but self-hosted installations accept. */
const reservedInTheCloud = oneOf(
  "LANGSMITH_API_KEY",
  "LANGSMITH_ENDPOINT",
  "POSTGRES_URI_CUSTOM",
  "REDIS_URI_CUSTOM",
);

function oneOf(...patterns: string[]): RegExp {
  return new RegExp(`^(${patterns.join("|")})$`);
}

const graphConfig = "source_revision_config.langgraph_config_path";

/** The `langsmith` dialect, which the public service uses. */
export const langsmithTable: DialectTable = {
  name: "langsmith",
  graphConfigField: "langgraph_config_path",
  fields: {
    create: [
      "name",
      "agent",
      "source",
      "source_config",
      "source_revision_config",
      "secrets",
      "secret_references",
      "shareable",
      "route_through_gateway",
    ],
    patch: [
      "name",
      "source",
      "source_config",
      "source_revision_config",
      "secrets",
      "display_name",
      "revision_source",
      "secret_references",
      "tracked_repo_ref",
      "deployment_tier",
      "route_through_gateway",
    ],
    sourceConfig: [
      "integration_id",
      "repo_url",
      "deployment_type",
      "build_on_push",
      "custom_url",
      "resource_spec",
      "listener_id",
      "listener_config",
      "install_command",
      "build_command",
      "template_id",
    ],
    sourceRevisionConfig: ["repo_ref", "langgraph_config_path", "image_uri", "source_tarball_path"],
    resourceTiers: ["compute_tier", "database_tier"],
  },
  fieldSources: {
    secret_references: ["external_docker"],
    tracked_repo_ref: ["github"],
    "source_config.template_id": ["internal_template"],
  },
  // Either `name` or `agent`; for an agent, the server generates a name.
  requiredOnCreate: ["source", "source_config", "source_revision_config", "secrets"],
  sources: ["github", "external_docker", "internal_docker", "internal_source", "internal_template"],
  revisionSources: ["github", "internal_docker", "internal_source"],
  // `serverless` and `dedicated` are newer names for `dev_zero` and `prod`; clients use both.
  deploymentTypes: ["dev_free", "dev", "prod", "dev_zero", "dev_free_zero", "serverless", "dedicated"],
  defaultDeploymentType: "prod",
  names: {
    pattern: /^[A-Za-z][A-Za-z0-9-]*$/,
    wording: "letters, digits, and dashes, starting with a letter",
    selfHostedLength: 21,
  },
  sourceRules: {
    github: {
      required: ["source_config.repo_url", "source_revision_config.repo_ref", graphConfig],
      forbidden: [],
      firstRevision: true,
    },
    external_docker: {
      required: ["source_config.resource_spec", "source_revision_config.image_uri"],
      forbidden: ["source_config.deployment_type", graphConfig],
      firstRevision: true,
    },
    // The configuration may come with the archive, in the PATCH that creates the first revision.
    internal_source: { required: [], forbidden: [], firstRevision: false },
    internal_docker: { required: [], forbidden: [graphConfig], firstRevision: false },
    "*": { required: [], forbidden: [graphConfig], firstRevision: true },
  },
  listenerRequired: ["external_docker"],
  checksReferences: true,
  fixedSourceConfig: ["integration_id", "deployment_type", "listener_id", "listener_config", "template_id"],
  nextRevisionSourceConfig: ["repo_url"],
  clearable: [],
  emptySecrets: "keep",
  revises: {
    sourceRevisionConfig: "given",
    sourceConfig: ["resource_spec", "install_command", "build_command"],
    secrets: true,
    others: ["secret_references", "deployment_tier"],
  },
  redeploys: true,
  tenantHeader: "organization keys",
  supersededStatuses: ["SKIPPED"],
  resolvesRefs: true,
  widerAuthentication: true,
  logTypeRequired: true,
  reservedSecrets,
  reservedInTheCloud,
  refusesPushedTags: true,
  checksResourceSpec: true,
  resourceSpecDefaults: { min_scale: 1, max_scale: 1, cpu: 1, memory_mb: 2048 },
};
