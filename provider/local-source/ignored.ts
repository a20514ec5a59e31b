import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";

/** Folders that are never sent: what tools make of the sources, and their history. */
const alwaysLeftOut = [
  ".git/",
  "node_modules/",
  "__pycache__/",
  ".venv/",
  "venv/",
  ".tox/",
  ".mypy_cache/",
  ".pytest_cache/",
  ".ruff_cache/",
];

/** Upper and lower case differ, whatever the machine. */
const asGit = { ignorecase: false };

/** What the ignore files of one folder say about everything below it. */
export interface IgnoreRules {
  /** Path of the folder, from the one that is packed, with a slash at its end; empty for that one itself. */
  prefix: string;
  rules: Ignore;
}

/** The rules of the folder that is packed: what is always left out, then `.dockerignore`, then `.gitignore`. */
export async function rulesOfRoot(folder: string): Promise<IgnoreRules> {
  const rules = ignore(asGit).add(alwaysLeftOut);
  for (const name of [".dockerignore", ".gitignore"]) rules.add(await textOf(join(folder, name)));
  return { prefix: "", rules };
}

/** The rules of a folder inside it, where it has a `.gitignore` of its own. */
export async function rulesOfInner(folder: string, prefix: string): Promise<IgnoreRules | undefined> {
  const text = await textOf(join(folder, ".gitignore"));
  return text === "" ? undefined : { prefix, rules: ignore(asGit).add(text) };
}

/** Whether a path is left out. Git asks the rules that are nearest to it last, and these have the last word. */
export function isLeftOut(path: string, all: readonly IgnoreRules[]): boolean {
  let leftOut = false;
  for (const { prefix, rules } of all) {
    const { ignored, unignored } = rules.test(path.slice(prefix.length));
    leftOut = ignored || (leftOut && !unignored);
  }
  return leftOut;
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
