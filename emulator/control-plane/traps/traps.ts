/** Surprises of the real service that its users fall into, each off unless it is switched on. */
export interface Traps {
  /** A deployment that is deleted without `delete_tracing_project` leaves a tracing project that holds its name. */
  orphanedTracingProjects: boolean;
  /** Names of more than 21 characters never become ready, as on self-hosted installations. */
  longNamesNeverReady: boolean;
  /** The first rollout waits this long for the deployment's database, which is AWAITING_DATABASE. */
  databaseSeconds: number;
  /** API keys are the organization's, so that a request without a tenant is a 403 where a dialect allows it. */
  organizationKeys: boolean;
}

/** No trap at all. */
export const noTraps: Readonly<Traps> = {
  orphanedTracingProjects: false,
  longNamesNeverReady: false,
  databaseSeconds: 0,
  organizationKeys: false,
};

/** The longest name that becomes ready on a self-hosted installation. */
export const longestReadyName = 21;
