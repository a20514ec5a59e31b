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

/** What ignore files say about everything below a folder. */
export interface IgnoreRules {
  /** Path of the folder, from the one that is packed, with a slash at its end; empty for that one itself. */
  prefix: string;
  rules: Pick<Ignore, "test">;
  /** Whether something in a folder that is left out may not be. */
  looksInside?: boolean;
}

/** The rules of the folder that is packed: what is always left out, then `.dockerignore`, then `.gitignore`. */
export async function rulesOfRoot(folder: string): Promise<IgnoreRules[]> {
  const [docker, git] = await Promise.all(
    [".dockerignore", ".gitignore"].map((name) => textOf(join(folder, name))),
  );
  return [
    { prefix: "", rules: ignore(asGit).add(alwaysLeftOut) },
    dockerRules(docker!),
    { prefix: "", rules: ignore(asGit).add(git!) },
  ];
}

/** In `.dockerignore` the last pattern that fits has the last word, also about what is in a folder that is left out. */
function dockerRules(text: string): IgnoreRules {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const patterns = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const isNegated = line.startsWith("!");
      return { isNegated, matcher: ignore(asGit).add(isNegated ? line.slice(1) : line) };
    });
  const test = (path: string) => {
    const last = patterns.findLast(({ matcher }) => matcher.ignores(path));
    return { ignored: last?.isNegated === false, unignored: last?.isNegated === true };
  };
  return { prefix: "", rules: { test }, looksInside: patterns.some(({ isNegated }) => isNegated) };
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

/** Whether nothing in a folder is sent. */
export function isLeftOutWhole(path: string, all: readonly IgnoreRules[]): boolean {
  return isLeftOut(
    path,
    all.filter(({ looksInside }) => !looksInside),
  );
}

async function textOf(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\ufeff/, "");
  } catch (error) {
    if (["ENOENT", "EISDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
