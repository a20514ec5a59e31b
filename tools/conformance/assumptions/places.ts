import type { Place } from "../assumption";

/** Returns the location of a line in the dialect tables. */
export function table(dialect: "interface" | "langsmith", text: string): Place {
  return { file: `wire/dialects/${dialect}.ts`, text };
}

/**
 * Returns the location of a rule in the tests of the dialects. The rule must be changed together with the dialect
 * tables.
 */
export function rule(text: string, dialect: "interface" | "langsmith" = "langsmith"): Place {
  return { file: `tests/published/rules/${dialect}.ts`, text };
}
