import type { VerifiedArtifacts } from "../deployment-outputs";
import type { OtherControlPlane } from "../other-control-plane";

/** Assistant, with the contents of the version in use. */
export interface GetAssistantResult {
  /** ID of the assistant. */
  assistantId: string;
  /** Graph that the assistant runs. */
  graph: string;
  /** Display name. */
  name?: string;
  /** Description of the assistant. */
  description?: string;
  /** Configuration of runs, in the server's format: `tags`, `recursion_limit`, and `configurable`. */
  config?: Record<string, unknown>;
  /** Context of runs. */
  context?: Record<string, unknown>;
  /** Metadata, including the ownership tag if a Pulumi resource owns the assistant. */
  metadata?: Record<string, unknown>;
  /** Version in use. */
  version?: number;
}

/** Deployment as reported by the control plane, without secret values. */
export interface DeploymentSummary {
  /** ID of the deployment. */
  id: string;
  /** Name of the deployment. */
  name: string;
  /** Agent and environment, if the deployment has them. */
  agent?: {
    /** ID of the agent. */
    agentId: string;
    /** Environment of the deployment. */
    environment: string;
  };
  /** Display name. */
  displayName?: string;
  /** Kind of source. */
  source?: string;
  /** URL of the agent server, if it exists already. */
  url?: string;
  /** Status of the deployment itself, for example `READY`. It does not describe the revisions. */
  status?: string;
  /** ID of the newest revision. */
  latestRevisionId?: string;
  /** ID of the revision that serves requests. */
  activeRevisionId?: string;
  /** URL of the repository. */
  repoUrl?: string;
  /** Branch, tag, or commit of the newest revision. */
  repoRef?: string;
  /** Path of the graph configuration file of the newest revision. */
  graphConfigPath?: string;
  /** Container image of the newest revision. */
  imageUri?: string;
  /** Names of the deployment's secrets. */
  secretNames: string[];
}

/** Deployment as reported by the control plane, with its verification if requested. */
export interface GetDeploymentResult extends DeploymentSummary {
  /**
   * Artifact that the deployment serves, if it passed `verify`, with the time of the last change to its revision;
   * undefined without `verify`.
   */
  verified?: VerifiedArtifacts;
  /** The `connection` argument, for use by resources in the deployment. */
  connection?: OtherControlPlane;
}
