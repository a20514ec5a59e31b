import type { DeploymentInputs } from "./inputs";

/**
 * Paths at which an entry of the resource specification is given. Users write documented keys in camelCase, but the
 * server's own spelling passes as well.
 * @throws NotKnownYet
 */
export function specPaths(deployment: DeploymentInputs, key: string): string[] {
  const wireKey = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...new Set([key, wireKey])]
    .map((name) => `sourceConfig.resourceSpec.${name}`)
    .filter((path) => deployment.at(path) !== undefined);
}

/** The number of an entry; nothing when there is none. @throws NotKnownYet */
export function specNumber(deployment: DeploymentInputs, key: string): number | undefined {
  const [value] = specPaths(deployment, key).map((path) => deployment.at(path));
  return typeof value === "number" ? value : undefined;
}
