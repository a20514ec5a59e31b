import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../repository";

const engine = join(repositoryRoot, "tools", "dev-engine", "ensure.ts");
const ownTests = join(repositoryRoot, "tests", "tools", "dev-engine", "ensure.test.ts");

/**
 * Returns true if a test uses the Pulumi engine, that is, if it imports `ensureEngine`, directly or through other
 * files.
 */
export function usesEngine(test: string): boolean {
  // The tests of `ensureEngine` provide their own engines.
  if (test === ownTests) return false;
  const seen = new Set([test]);
  for (const file of seen) {
    if (file === engine) return true;
    for (const imported of importsOf(file)) seen.add(imported);
  }
  return false;
}

/** Returns the repository files that a file imports, except for type-only imports. */
function importsOf(file: string): string[] {
  const imports = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"|require\("(\.[^"]+)"\)/gm,
  );
  return [...imports]
    .map(([, from, required]) => join(dirname(file), from ?? required!))
    .flatMap((path) =>
      [`${path}.ts`, join(path, "index.ts")].filter((candidate) => existsSync(candidate)).slice(0, 1),
    );
}
