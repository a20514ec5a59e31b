import type { StoredDeployment } from "../store/deployments";
import type { StoredRevision } from "../store/revisions";
import { agentsPath } from "../../gateway/route";

/** The deployment as clients see it; `latest` is its newest revision. */
export function deploymentRecordOf(
  deployment: StoredDeployment,
  latest: StoredRevision | undefined,
  baseUrl: string,
) {
  const { sourceConfig } = deployment;
  return {
    id: deployment.id,
    tenant_id: deployment.tenantId,
    name: deployment.name,
    display_name: null,
    source: deployment.source,
    source_config: {
      integration_id: sourceConfig.integration_id ?? null,
      repo_url: sourceConfig.repo_url ?? null,
      deployment_type: sourceConfig.deployment_type ?? null,
      build_on_push: sourceConfig.build_on_push ?? null,
      custom_url: sourceConfig.custom_url ?? null,
      resource_spec: sourceConfig.resource_spec ?? null,
    },
    source_revision_config: revisionConfigOf(latest),
    secrets: deployment.secrets,
    secret_references: null,
    shareable: false,
    route_through_gateway: false,
    status: deployment.status,
    latest_revision_id: deployment.latestRevisionId,
    active_revision_id: deployment.activeRevisionId,
    tracer_session_id: null,
    url: deployment.activeRevisionId ? `${baseUrl}${agentsPath}/${deployment.id}` : null,
    image_version: null,
    is_preview: false,
    is_managed_deep_agent: false,
    deployment_tier: null,
    compute_tier: null,
    database_tier: null,
    agent: null,
    created_at: new Date(deployment.createdAt).toISOString(),
    updated_at: new Date(deployment.updatedAt).toISOString(),
  };
}

/** The revision as clients see it. */
export function revisionRecordOf(revision: StoredRevision, source: string) {
  return {
    id: revision.id,
    status: revision.status,
    status_message: revision.statusMessage,
    source,
    source_revision_config: revisionConfigOf(revision),
    created_at: new Date(revision.createdAt).toISOString(),
    updated_at: new Date(revision.updatedAt).toISOString(),
  };
}

function revisionConfigOf(revision: StoredRevision | undefined) {
  const config = revision?.sourceRevisionConfig;
  return {
    repo_ref: config?.repo_ref ?? null,
    graph_config_path: config?.graph_config_path ?? null,
    image_uri: config?.image_uri ?? null,
    repo_commit_sha: revision?.resolvedCommit ?? null,
  };
}
