/** Kinds of resources that live in a deployment, or at another agent server. */
export const contentKinds = ["Assistant", "Cron", "StoreItem", "StoreItems", "Thread", "Run"] as const;

/** Kinds of resources that rules can be about. */
export type ResourceKind = "Deployment" | (typeof contentKinds)[number];

/** Type token of a kind. */
export function typeOf(kind: ResourceKind): string {
  return `pulumi-nodejs:dynamic/agentserver:${kind}`;
}
