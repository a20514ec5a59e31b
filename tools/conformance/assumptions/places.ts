import type { Place } from "../assumption";

/** Returns the location of a line in the dialect tables. */
export function table(dialect: "interface" | "langsmith", text: string): Place {
  return { file: `wire/dialects/${dialect}.ts`, text };
}

/** Returns the location of the rule in the tests for both dialects, which must be changed together with the tables. */
export function rule(text: string, dialect: "interface" | "langsmith" = "langsmith"): Place {
  return { file: `tests/published/rules/${dialect}.ts`, text };
}
