/** Assistant in the version that is in use. */
export interface GetAssistantResult {
  assistantId: string;
  /** Graph that the assistant runs. */
  graph: string;
  name?: string;
  description?: string;
  /** Configuration of runs, in the server's format: `tags`, `recursion_limit` and `configurable`. */
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  /** Metadata, including the ownership tag if a Pulumi resource owns the assistant. */
  metadata?: Record<string, unknown>;
  version?: number;
}

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
