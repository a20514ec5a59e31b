/** The engine that is built, and the oldest one on PATH that will do. The SDK in package.json has the same version. */
export const engineVersion = "3.259.0";

/** The oldest Go that builds it. */
export const oldestGo = "1.26.0";

type Version = readonly [major: number, minor: number, patch: number];

/** The first version number in a text such as `v3.259.0` or `go version go1.26.8 linux/amd64`. */
export function findVersion(text: string): Version | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/** Whether `text` names a version that is not older than `oldest` and has the same major number. */
export function isRecentEnough(text: string, oldest: string): boolean {
  const [found, wanted] = [findVersion(text), findVersion(oldest)];
  if (!found || found[0] !== wanted?.[0]) return false;
  return found[1] !== wanted[1] ? found[1] > wanted[1] : found[2] >= wanted[2];
}
