import type { DeploymentTier, WireSecretReference, WireSourceRevisionConfig } from "../../../wire";

/** What a deployment is beside its source; kept as one text. */
export interface DeploymentTraits {
  displayName?: string;
  /** The branch whose pushes count; that of the newest revision where it was not given. */
  trackedRepoRef?: string;
  secretReferences?: WireSecretReference[];
  shareable?: boolean;
  routeThroughGateway?: boolean;
  computeTier?: DeploymentTier;
  databaseTier?: DeploymentTier;
  /** What the create said of a source that comes later, with the first revision. */
  sourceToCome?: WireSourceRevisionConfig;
}
