/** Current names of the public service's deployment types, keyed by their original names. */
const newerNames: Record<string, string> = { dev_zero: "serverless", prod: "dedicated" };

/** Returns the current name of a deployment type. Clients use both names, and servers may report either one. */
export function newerDeploymentType(type: unknown): unknown {
  return typeof type === "string" && Object.hasOwn(newerNames, type) ? newerNames[type] : type;
}

/** True if both names refer to the same deployment type, so that a change from one to the other has no effect. */
export function isSameDeploymentType(one: unknown, other: unknown): boolean {
  return newerDeploymentType(one) === newerDeploymentType(other);
}
