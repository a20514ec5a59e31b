/** Findings that are meant to be so: a pattern of their lines, and why. */
export type Exceptions = readonly (readonly [pattern: RegExp, reason: string])[];

/** The findings that no exception explains, and the exceptions that explain none: both have to go. */
export function unexplained(findings: readonly string[], exceptions: Exceptions): string[] {
  const unique = [...new Set(findings)].sort();
  const idle = exceptions.filter(([pattern]) => !unique.some((finding) => pattern.test(finding)));
  return [
    ...unique.filter((finding) => !exceptions.some(([pattern]) => pattern.test(finding))),
    ...idle.map(([pattern]) => `no finding is left for the exception ${String(pattern)}`),
  ];
}
