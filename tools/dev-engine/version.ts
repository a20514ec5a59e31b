/**
 * Version of the engine that is built or downloaded, and minimum version for an engine on the PATH. It is the same as
 * the version of the SDK in package.json.
 */
export const engineVersion = "3.259.0";

/** Minimum version of Go for the build. */
export const minGoVersion = "1.26.0";

type Version = readonly [major: number, minor: number, patch: number];

/** Finds the first version number in a string such as `v3.259.0` or `go version go1.26.8 linux/amd64`. */
export function findVersion(text: string): Version | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** True if the version in `text` is at least `oldest` and has the same major version. */
export function isRecentEnough(text: string, oldest: string): boolean {
  const [found, required] = [findVersion(text), findVersion(oldest)];
  if (!found || found[0] !== required?.[0]) return false;
  return found[1] !== required[1] ? found[1] > required[1] : found[2] >= required[2];
}
