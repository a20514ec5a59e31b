import type { DeploymentTier, WireAgent, WireSecretReference, WireSourceRevisionConfig } from "../../../wire";

/** Settings of a deployment besides its source; stored as one text. */
export interface DeploymentTraits {
  /** The agent and the environment that it is for, where those were given in place of a name. */
  agent?: WireAgent;
  displayName?: string;
  /** The branch whose pushes count; that of the newest revision where it was not given. */
  trackedRepoRef?: string;
  secretReferences?: WireSecretReference[];
  shareable?: boolean;
  routeThroughGateway?: boolean;
  computeTier?: DeploymentTier;
  databaseTier?: DeploymentTier;
  /** Settings of the create about a source that follows with the first revision. */
  sourceToCome?: WireSourceRevisionConfig;
}
