/** Quirks of the public service that may surprise users. All are disabled by default. */
export interface Quirks {
  /**
   * True if deployments that are deleted without `delete_tracing_project` leave a tracing project that reserves their
   * name.
   */
  orphanedTracingProjects: boolean;
  /** True if deployments with names longer than 21 characters never become ready, as on self-hosted installations. */
  longNamesNeverReady: boolean;
  /**
   * Number of seconds that the first rollout of a deployment waits for its database. During this time, the status of
   * the deployment is AWAITING_DATABASE.
   */
  databaseSeconds: number;
  /**
   * True if API keys belong to the organization, so that a request without a tenant is rejected with 403, even if the
   * dialect allows such requests.
   */
  organizationKeys: boolean;
}

/** Settings that disable all quirks. */
export const noQuirks: Readonly<Quirks> = {
  orphanedTracingProjects: false,
  longNamesNeverReady: false,
  databaseSeconds: 0,
  organizationKeys: false,
};

/** Maximum length of deployment names for which rollouts complete on self-hosted installations. */
export const longestReadyName = 21;
