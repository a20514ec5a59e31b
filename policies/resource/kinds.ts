/** Kinds of resources in a deployment, or on another agent server. */
export const contentKinds = ["Assistant", "Cron", "StoreItem", "StoreItems", "Thread", "Run"] as const;

/** Kinds of resources that rules can check. */
export type ResourceKind = "Deployment" | (typeof contentKinds)[number];

/** Prefixes of type tokens: one for resources in Node.js programs, and one for resources of the provider plugin. */
export const typePrefixes = ["pulumi-nodejs:dynamic/agentserver:", "agentserver:index:"];

/** True if a type token belongs to a resource of this kind. */
export function isOfKind(type: string, kind: ResourceKind): boolean {
  return typePrefixes.some((prefix) => type === prefix + kind);
}
