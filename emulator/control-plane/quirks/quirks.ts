/** Quirks of the real service that can surprise its users, each off by default. */
export interface Quirks {
  /** A deployment that is deleted without `delete_tracing_project` leaves a tracing project that reserves its name. */
  orphanedTracingProjects: boolean;
  /** Names of more than 21 characters never become ready, as on self-hosted installations. */
  longNamesNeverReady: boolean;
  /** The first rollout waits this long for the deployment's database, which is AWAITING_DATABASE. */
  databaseSeconds: number;
  /**
   * API keys belong to the organization, so a request without a tenant is rejected with 403, even if a dialect allows
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

/** The longest name that becomes ready on a self-hosted installation. */
export const longestReadyName = 21;
