/** Expected findings: a pattern that matches them, and the reason. */
export type Exceptions = readonly (readonly [pattern: RegExp, reason: string])[];

/**
 * Returns the findings that do not match any exception, and the exceptions that do not match any finding. Both lists
 * must be empty.
 */
export function unexplained(findings: readonly string[], exceptions: Exceptions): string[] {
  const unique = [...new Set(findings)].sort();
  const idle = exceptions.filter(([pattern]) => !unique.some((finding) => pattern.test(finding)));
  return [
    ...unique.filter((finding) => !exceptions.some(([pattern]) => pattern.test(finding))),
    ...idle.map(([pattern]) => `no finding is left for the exception ${String(pattern)}`),
  ];
}
