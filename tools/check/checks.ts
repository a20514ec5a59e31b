import { join } from "node:path";
import { compiler, repositoryRoot } from "../repository";

/** One way of looking at the sources: a script that exits with another code than 0 when it finds something. */
export interface Check {
  /** What it does, for the progress. */
  label: string;
  /** What a finding means, in one sentence. */
  failure: string;
  /** The script that Node runs, and its arguments. */
  words: string[];
}

const installed = (...path: string[]) => join(repositoryRoot, "node_modules", ...path);
const folders = ["provider", "sdk", "cli", "emulator", "policies", "tools", "tests", "bench", "examples"];

/** The checks of `npm run check`; the longest comes last. */
export const checks: Check[] = [
  {
    label: "checking the types",
    failure: "The types do not fit.",
    words: [compiler, "--noEmit", "-p", "tsconfig.json"],
  },
  {
    label: "checking the types of the examples",
    failure: "The types of the examples do not fit.",
    words: [compiler, "--noEmit", "-p", "tsconfig.examples.json"],
  },
  {
    label: "checking who imports whom",
    failure: "Imports break the rules of .dependency-cruiser.mjs.",
    words: [installed("dependency-cruiser", "bin", "dependency-cruiser.mjs"), "--no-progress", ...folders],
  },
  {
    label: "looking for what nothing uses",
    failure:
      "Knip found what nothing uses, or what package.json does not declare; knip.jsonc says where it looks.",
    words: [installed("knip", "bin", "knip.js"), "--no-progress"],
  },
  {
    label: "checking the format",
    failure: "Some files are not formatted: run `npm run format`.",
    words: [installed("prettier", "bin", "prettier.cjs"), "--check", "--log-level", "warn", "."],
  },
  {
    label: "linting",
    failure: "ESLint found mistakes; eslint.config.mjs has the rules.",
    words: [installed("eslint", "bin", "eslint.js"), "."],
  },
];
