/** Quirks of the public service that may surprise users. All are disabled by default. */
export interface Quirks {
  /** Deployments that are deleted without `delete_tracing_project` leave a tracing project that reserves their name. */
  orphanedTracingProjects: boolean;
  /** Deployments with names longer than 21 characters never become ready, as on self-hosted installations. */
  longNamesNeverReady: boolean;
  /**
   * Number of seconds that the first rollout waits for the database of the deployment, whose status is
   * AWAITING_DATABASE.
   */
  databaseSeconds: number;
  /**
   * API keys belong to the organization, so a request without a tenant is rejected with 403, even if the dialect allows
   * it.
   */
  organizationKeys: boolean;
}

/** All quirks disabled. */
export const noQuirks: Readonly<Quirks> = {
  orphanedTracingProjects: false,
  longNamesNeverReady: false,
  databaseSeconds: 0,
  organizationKeys: false,
};

/** Maximum length of a deployment name for which rollouts finish on a self-hosted installation. */
export const longestReadyName = 21;
