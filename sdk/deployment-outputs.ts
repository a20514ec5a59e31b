/** A revision that reached its final status. */
export interface SettledRevision {
  id: string;
  /** For example `DEPLOYED` or `BUILD_FAILED`; `VERIFY_FAILED` for a failed verification. */
  status: string;
  /** When the control plane made it; empty when it does not report. */
  createdAt: string;
  /** When its final status was seen. */
  settledAt: string;
  /** It failed, and somebody else made it before the deployment was adopted: it is not repeated for that. */
  adopted?: true;
}

/** A revision whose rollout has not been seen to its end. */
export interface AwaitedRevision {
  /** Empty where the control plane took the change, but did not say which revision it made. */
  id: string;
  /** Somebody else made it before the deployment was adopted: it is waited for, but not verified or rolled back. */
  adopted?: true;
  /** Where `id` is empty: the newest revision before the change; empty where there was none. */
  since?: string;
  /** Where `id` is empty: the change sent settings or secrets alone, so the revision has no source to be known by. */
  keepsSource?: true;
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
