import type { Rule } from "eslint";

/** ESLint rules for comments, messages, and test names. */
export const rules: Record<string, Rule.RuleModule>;
