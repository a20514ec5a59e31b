import type { DeploymentRecord } from "../../wire";

/** Deployment as reported by the control plane, without the values of secrets. */
export interface GetDeploymentResult {
  id: string;
  name: string;
  /** Agent and environment, if the deployment has them. */
  agent?: { agentId: string; environment: string };
  /** Display name. */
  displayName?: string;
  source?: string;
  /** URL of the agent server, once it exists. */
  url?: string;
  /** Status of the deployment itself, for example `READY`. It does not describe its revisions. */
  status?: string;
  latestRevisionId?: string;
  activeRevisionId?: string;
  repoUrl?: string;
  repoRef?: string;
  graphConfigPath?: string;
  imageUri?: string;
  /** Names of the deployment's secrets. */
  secretNames: string[];
}

export function toDeploymentResult(record: DeploymentRecord): GetDeploymentResult {
  const { source_config: source, source_revision_config: revision } = record;
  return {
    id: record.id,
    name: record.name ?? "",
    agent: agentOf(record),
    displayName: record.display_name ?? undefined,
    source: record.source ?? undefined,
    url: record.url ?? source?.custom_url ?? undefined,
    status: record.status ?? undefined,
    latestRevisionId: record.latest_revision_id ?? undefined,
    activeRevisionId: record.active_revision_id ?? undefined,
    repoUrl: source?.repo_url ?? undefined,
    repoRef: revision?.repo_ref ?? undefined,
    graphConfigPath: revision?.graph_config_path ?? revision?.langgraph_config_path ?? undefined,
    imageUri: revision?.image_uri ?? undefined,
    secretNames: (record.secrets ?? [])
      .map(({ name }) => name)
      .filter((name) => name !== "AGENTSERVER_OWNER"),
  };
}

function agentOf({ agent }: DeploymentRecord): GetDeploymentResult["agent"] {
  return agent?.agent_id && agent.environment
    ? { agentId: agent.agent_id, environment: agent.environment }
    : undefined;
}
