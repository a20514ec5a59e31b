import type { DeploymentTier, WireAgent, WireSecretReference, WireSourceRevisionConfig } from "../../../wire";

/** Settings of a deployment, except for its source, stored as a single string. */
export interface DeploymentTraits {
  /** Agent and environment of the deployment, if they were specified instead of a name. */
  agent?: WireAgent;
  displayName?: string;
  /** Tracked branch. Defaults to the branch of the newest revision. */
  trackedRepoRef?: string;
  secretReferences?: WireSecretReference[];
  shareable?: boolean;
  routeThroughGateway?: boolean;
  computeTier?: DeploymentTier;
  databaseTier?: DeploymentTier;
  /** Settings from the create request, if the source is uploaded later with the first revision. */
  sourceToCome?: WireSourceRevisionConfig;
}
