import { join } from "node:path";
import { compiler, repositoryRoot } from "../repository";

/** Check of the sources: a script that exits with a code other than 0 if it finds errors. */
export interface Check {
  /** Description of the check for the progress output. */
  label: string;
  /** Explanation of a failure, as one sentence. */
  failure: string;
  /** Node.js script that runs the check, and its arguments. */
  args: string[];
}

const installed = (...path: string[]) => join(repositoryRoot, "node_modules", ...path);
const folders = ["provider", "sdk", "cli", "emulator", "policies", "tools", "tests", "bench", "examples"];

/** Checks of `npm run check`; the slowest one is last. */
export const checks: Check[] = [
  {
    label: "checking the types",
    failure: "The type check failed.",
    args: [compiler, "--noEmit", "-p", "tsconfig.json"],
  },
  {
    label: "checking the types of the examples",
    failure: "The type check of the examples failed.",
    args: [compiler, "--noEmit", "-p", "tsconfig.examples.json"],
  },
  {
    label: "checking the types of the web console",
    failure: "The type check of the web console failed.",
    args: [compiler, "-p", "emulator/page/client/tsconfig.json"],
  },
  {
    label: "checking imports",
    failure: "Some imports violate the rules in .dependency-cruiser.mjs.",
    args: [installed("dependency-cruiser", "bin", "dependency-cruiser.mjs"), "--no-progress", ...folders],
  },
  {
    label: "looking for unused code",
    failure: "Knip found unused code or undeclared dependencies; knip.jsonc configures it.",
    args: [installed("knip", "bin", "knip.js"), "--no-progress"],
  },
  {
    label: "checking the format",
    failure: "Some files are not formatted. Run `npm run format`.",
    args: [installed("prettier", "bin", "prettier.cjs"), "--check", "--log-level", "warn", "."],
  },
  {
    label: "checking the documents",
    failure:
      "Some documents contain disallowed phrases or invalid Markdown; tools/lint/documents.cjs lists the rules.",
    args: [join(repositoryRoot, "tools", "lint", "documents.cjs")],
  },
  {
    label: "checking the layout",
    failure: "The source tree violates the rules in tools/lint/layout.mjs.",
    args: [join(repositoryRoot, "tools", "lint", "layout.mjs")],
  },
  {
    label: "checking the spelling",
    failure: "Some words are unknown. Correct them, or add them to a group in tools/lint/words.txt.",
    args: [join(repositoryRoot, "tools", "lint", "spelling.mjs")],
  },
  {
    label: "linting",
    failure: "ESLint found errors; eslint.config.mjs configures the rules.",
    args: [installed("eslint", "bin", "eslint.js"), "."],
  },
];
