/** Kinds of resources in a deployment, or on another agent server. */
export const contentKinds = ["Assistant", "Cron", "StoreItem", "StoreItems", "Thread", "Run"] as const;

/** Kinds of resources that rules can check. */
export type ResourceKind = "Deployment" | (typeof contentKinds)[number];

/** Returns the type token of a kind. */
export function typeOf(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/agentserver:${kind}`;
}
