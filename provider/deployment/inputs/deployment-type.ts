/** Current names of the public service's deployment types, by their original names. */
const newerNames: Record<string, string> = { dev_zero: "serverless", prod: "dedicated" };

/** Returns a deployment type by its current name. Clients use both names, and a server may report either. */
export function newerDeploymentType(type: unknown): unknown {
  return typeof type === "string" && Object.hasOwn(newerNames, type) ? newerNames[type] : type;
}

/** True if both names refer to the same deployment type, so a change from one to the other has no effect. */
export function isSameDeploymentType(one: unknown, other: unknown): boolean {
  return newerDeploymentType(one) === newerDeploymentType(other);
}
