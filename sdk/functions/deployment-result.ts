/** What the control plane knows about a deployment; secret values stay there. */
export interface GetDeploymentResult {
  id: string;
  name: string;
  /** The agent and the environment that it is for, where it has them. */
  agent?: { agentId: string; environment: string };
  /** Name that people see. */
  displayName?: string;
  source?: string;
  /** Address of the agent server, once there is one. */
  url?: string;
  /** State of the deployment itself, for example `READY`; says nothing about its revisions. */
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
