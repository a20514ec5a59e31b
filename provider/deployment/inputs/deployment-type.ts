/** The names of deployment types that the public service had first, and what they are called now. */
const newerNames: Record<string, string> = { dev_zero: "serverless", prod: "dedicated" };

/** A deployment type by its newer name. Clients write either name, and a server may report the other one. */
export function newerDeploymentType(type: unknown): unknown {
  return typeof type === "string" && Object.hasOwn(newerNames, type) ? newerNames[type] : type;
}

/** Whether both are names of one deployment type, so that one in place of the other changes nothing. */
export function isSameDeploymentType(one: unknown, other: unknown): boolean {
  return newerDeploymentType(one) === newerDeploymentType(other);
}
