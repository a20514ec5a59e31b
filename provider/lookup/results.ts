import type { AssistantRecord, FoundThread } from "../agent-server/wire";
import {
  type DeploymentRecord,
  ownerSecretName,
  type RevisionLogEntry,
  type RevisionRecord,
} from "../../wire";
import { recordedArtifact } from "../deployment/rollout/verified";
import type { FunctionResult } from "./functions";

export function assistantResult(record: AssistantRecord): FunctionResult<"getAssistant"> {
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

export function deploymentResult(record: DeploymentRecord): FunctionResult<"getDeployment"> {
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
    ...revisionSource(revision),
    secretNames: (record.secrets ?? []).map(({ name }) => name).filter((name) => name !== ownerSecretName),
  };
}

function agentOf({ agent }: DeploymentRecord): FunctionResult<"getDeployment">["agent"] {
  return agent?.agent_id && agent.environment
    ? { agentId: agent.agent_id, environment: agent.environment }
    : undefined;
}

export function logLineResult({
  message,
  timestamp,
  level,
}: RevisionLogEntry): FunctionResult<"getDeploymentLogs">["lines"][number] {
  return {
    message,
    timestamp: timestamp == null ? undefined : toIsoTime(timestamp),
    level: level ?? undefined,
  };
}

/** Converts a timestamp, either in ISO 8601 format or in milliseconds since 1970, to ISO 8601 format in UTC. */
function toIsoTime(timestamp: string | number): string {
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? String(timestamp) : time.toISOString();
}

export function revisionResult({
  source_revision_config: source,
  ...revision
}: RevisionRecord): FunctionResult<"getRevisions">["revisions"][number] {
  return {
    id: revision.id,
    status: revision.status,
    statusMessage: revision.status_message ?? undefined,
    createdAt: revision.created_at ?? undefined,
    updatedAt: revision.updated_at ?? undefined,
    ...revisionSource(source),
    commit: recordedArtifact("github", source),
  };
}

function revisionSource(source: RevisionRecord["source_revision_config"]) {
  return {
    repoRef: source?.repo_ref ?? undefined,
    graphConfigPath: source?.graph_config_path ?? source?.langgraph_config_path ?? undefined,
    imageUri: source?.image_uri ?? undefined,
  };
}

export function threadResult(thread: FoundThread): FunctionResult<"searchThreads">["threads"][number] {
  return {
    threadId: thread.thread_id,
    status: thread.status ?? undefined,
    metadata: thread.metadata ?? undefined,
    createdAt: thread.created_at ?? undefined,
    updatedAt: thread.updated_at ?? undefined,
  };
}
