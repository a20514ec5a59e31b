import type { Place } from "../assumption";

/** Returns a line of the dialect tables. */
export function table(dialect: "interface" | "langsmith", text: string): Place {
  return { file: `wire/dialects/${dialect}.ts`, text };
}

/** Returns the rule of the tests for both dialects, which must be changed together with the tables. */
export function rule(text: string, dialect: "interface" | "langsmith" = "langsmith"): Place {
  return { file: `tests/published/rules/${dialect}.ts`, text };
}
