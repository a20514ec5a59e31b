import type { ResourceInputs } from "../resource/inputs";

/**
 * Returns the paths at which an entry of the resource specification is set, or is not known yet. Users write documented
 * keys in camelCase, but the server's spelling is also accepted.
 */
export function specPaths(deployment: ResourceInputs, key: string): string[] {
  const wireKey = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [...new Set([key, wireKey])]
    .map((name) => `sourceConfig.resourceSpec.${name}`)
    .filter((path) => deployment.valueAt(path) !== undefined);
}

/** Returns the value of an entry, or `undefined` if it is not a number. @throws NotKnownYet */
export function specNumber(deployment: ResourceInputs, key: string): number | undefined {
  const [value] = specPaths(deployment, key).map((path) => deployment.at(path));
  return typeof value === "number" ? value : undefined;
}
