import { createHash } from "node:crypto";
import type { WireSourceConfig, WireSourceRevisionConfig } from "../../../wire";
import { agentsPath } from "../../gateway/route";
import { type Dialect, shownRevisionConfig, shownSourceConfig } from "../dialects";
import type { StoredDeployment } from "../store/deployments";
import type { StoredRevision } from "../store/revisions";

/** Returns the deployment as clients of a dialect see it; `latest` is its newest revision. */
export function deploymentRecordOf(
  deployment: StoredDeployment,
  latest: StoredRevision | undefined,
  baseUrl: string,
  dialect: Dialect,
) {
  const { traits } = deployment;
  const url = deployment.activeRevisionId ? `${baseUrl}${agentsPath}/${deployment.id}` : null;
  return {
    id: deployment.id,
    tenant_id: deployment.tenantId,
    name: deployment.name,
    display_name: traits.displayName ?? null,
    source: deployment.source,
    source_config: {
      ...shownSourceConfig(deployment.sourceConfig, dialect),
      // The command-line client reads the URL of a ready deployment from here.
      custom_url: deployment.sourceConfig.custom_url || url,
      ...(dialect.resolvesRefs && { repo_branch: trackedRef(deployment, latest) ?? null }),
    },
    source_revision_config: latest
      ? revisionConfigOf(latest, deployment.source, dialect)
      : { ...shownRevisionConfig(traits.sourceToCome, dialect), repo_commit_sha: null },
    // Before there is a revision, there is no environment to report.
    secrets: latest ? deployment.secrets : [],
    secret_references: traits.secretReferences ?? null,
    shareable: traits.shareable ?? false,
    route_through_gateway: traits.routeThroughGateway ?? false,
    status: deployment.reportedStatus,
    latest_revision_id: deployment.latestRevisionId,
    active_revision_id: deployment.activeRevisionId,
    tracer_session_id: null,
    url,
    image_version: null,
    is_preview: false,
    is_managed_deep_agent: false,
    deployment_tier: traits.computeTier ?? null,
    compute_tier: traits.computeTier ?? null,
    database_tier: traits.databaseTier ?? null,
    agent: traits.agent ?? null,
    created_at: new Date(deployment.createdAt).toISOString(),
    updated_at: new Date(deployment.updatedAt).toISOString(),
  };
}

/** Returns the revision as clients of a dialect see it. */
export function revisionRecordOf(revision: StoredRevision, source: string, dialect: Dialect) {
  return {
    id: revision.id,
    status: revision.status,
    status_message: revision.statusMessage,
    source,
    source_revision_config: revisionConfigOf(revision, source, dialect),
    created_at: new Date(revision.createdAt).toISOString(),
    updated_at: new Date(revision.updatedAt).toISOString(),
  };
}

/** Returns the branch, tag, or commit that a deployment tracks. */
export function trackedRef(
  deployment: StoredDeployment,
  latest: StoredRevision | undefined,
): string | undefined {
  return deployment.traits.trackedRepoRef ?? latest?.sourceRevisionConfig.repo_ref ?? undefined;
}

/** Statuses of revisions whose image has not been built, or may not have been built. */
const unbuiltStatuses = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "CREATE_FAILED", "BUILD_FAILED"];

function revisionConfigOf(revision: StoredRevision, source: string, dialect: Dialect) {
  const { resolvedCommit: commit, sourceConfig, sourceRevisionConfig, status } = revision;
  const shown = shownRevisionConfig(sourceRevisionConfig, dialect);
  const isBuilt = source === "github" && commit !== null && !unbuiltStatuses.includes(status);
  return {
    ...shown,
    ...(dialect.resolvesRefs && commit && { repo_ref: commit }),
    // The public service reports the image together with the commit that it was built from.
    ...(dialect.resolvesRefs && isBuilt && { image_uri: builtImage(sourceConfig, shown, commit) }),
    repo_commit_sha: commit,
  };
}

/**
 * Returns the name of the image that is built from a commit. A commit is built only once. The image does not exist in
 * any local registry.
 */
function builtImage(
  config: WireSourceConfig,
  { langgraph_config_path: path }: WireSourceRevisionConfig,
  commit: string,
): string {
  const digest = createHash("sha256").update(`${config.repo_url} ${commit} ${path}`).digest("hex");
  return `registry.example.com/agents:${commit}@sha256:${digest}`;
}
