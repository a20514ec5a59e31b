import picomatch from "picomatch";

/** Patterns for stacks that are treated as production unless a policy is configured otherwise. */
export const productionStacks = ["prod*", "*-prod", "production"];

/**
 * True if a string matches one of the patterns: `*` matches any characters except slashes, and `**` matches any
 * characters.
 */
export function matches(text: string, patterns: readonly string[]): boolean {
  const options = { dot: true, nonegate: true };
  return patterns.some((pattern) => text === pattern || picomatch.isMatch(text, pattern, options));
}
