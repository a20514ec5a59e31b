import type { AssistantRecord } from "../../provider/agent-server/wire";
import type { DeploymentRecord } from "../../wire";
import type { GetAssistantResult, GetDeploymentResult } from "./results";

export function toAssistantResult(record: AssistantRecord): GetAssistantResult {
  return {
    assistantId: record.assistant_id,
    graph: record.graph_id,
    name: record.name ?? undefined,
    description: record.description ?? undefined,
    config: record.config ?? undefined,
    context: record.context ?? undefined,
    metadata: record.metadata ?? undefined,
    version: record.version ?? undefined,
  };
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
