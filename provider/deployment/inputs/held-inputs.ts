/** Settings that an environment keeps until the conditions of its gate are met. */
export const heldSettings = ["shareable", "deploymentTier", "computeTier", "databaseTier"] as const;

/**
 * All inputs that an environment keeps until the conditions of its gate are met, except for the source of its
 * revisions.
 */
export const heldInputs = ["name", "source", "sourceConfig", ...heldSettings] as const;
