import type { ResourceInputs } from "../resource/inputs";

/**
 * Paths at which an entry of the resource specification is given, or is not known yet. Users write documented keys in
 * camelCase, but the server's own spelling passes as well.
 */
export function specPaths(deployment: ResourceInputs, key: string): string[] {
  const wireKey = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...new Set([key, wireKey])]
    .map((name) => `sourceConfig.resourceSpec.${name}`)
    .filter((path) => deployment.valueAt(path) !== undefined);
}

/** The number of an entry; nothing when there is none. @throws NotKnownYet */
export function specNumber(deployment: ResourceInputs, key: string): number | undefined {
  const [value] = specPaths(deployment, key).map((path) => deployment.at(path));
  return typeof value === "number" ? value : undefined;
}
