/** A revision that reached its final status. */
export interface SettledRevision {
  id: string;
  /** For example `DEPLOYED` or `BUILD_FAILED`. */
  status: string;
  /** When the control plane made it; empty when it does not tell. */
  createdAt: string;
  /** When its final status was seen. */
  settledAt: string;
  /** It failed, and was somebody else's when the deployment was adopted: it is not repeated for that. */
  adopted?: true;
  /**
   * Revisions before this one that are DEPLOYED, but failed their verification: nothing to go back to. Kept until a
   * rollout succeeds.
   */
  unfit?: string[];
}

/** The revision that answers requests. */
export interface ServingRevision {
  revisionId: string;
  /** What it was built from. */
  sourceRevisionConfig: { repoRef?: string; graphConfigPath?: string; imageUri?: string };
}

/** Where a deployment lives. */
export interface ControlPlaneAddress {
  baseUrl: string;
  tenantId: string;
  /** Which variant of the interface the control plane speaks. */
  dialect: string;
}
