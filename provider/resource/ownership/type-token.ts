/** Names of the resource types. */
const typeNames = [
  "Assistant",
  "Cron",
  "Deployment",
  "Listener",
  "Run",
  "StoreItem",
  "StoreItems",
  "Thread",
] as const;

/** Name of a resource type. */
export type TypeName = (typeof typeNames)[number];

const dynamicPrefix = "pulumi-nodejs:dynamic/agentserver:";
const pluginPrefix = "agentserver:index:";

/** Returns the type token of a resource type in the dynamic provider. */
export function dynamicType(name: TypeName): string {
  return dynamicPrefix + name;
}

/** Returns the type token of a resource type in the provider plugin. */
export function pluginType(name: TypeName): string {
  return pluginPrefix + name;
}

/** Returns the name of a type from its token in either provider, or `undefined` for other types. */
export function typeNameOf(token: string): TypeName | undefined {
  return typeNames.find((name) => token === dynamicType(name) || token === pluginType(name));
}
