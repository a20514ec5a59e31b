import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildTarget } from "./targets";

const otherInputs = ["tsconfig.base.json", "package-lock.json"];
const notSources = new Set(["dist", "node_modules"]);

/** Returns a hash of everything that a compilation of the target reads: sources, configuration, and dependencies. */
export function sourceHash(
  root: string,
  target: Pick<BuildTarget, "config" | "sources" | "script" | "bundler">,
): string {
  const hash = createHash("sha256");
  const sources = target.sources.flatMap((folder) => [...typescriptFiles(root, folder)]);
  const { config, script = [], bundler = [] } = target;
  for (const file of [config, ...otherInputs, ...sources].concat(script, bundler)) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`${file}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

function* typescriptFiles(root: string, folder: string): Generator<string> {
  const path = join(root, folder);
  if (!existsSync(path)) return;
  const entries = readdirSync(path, { withFileTypes: true }).sort((left, right) =>
    left.name < right.name ? -1 : 1,
  );
  for (const entry of entries) {
    const name = join(folder, entry.name);
    if (entry.isDirectory() && !notSources.has(entry.name)) yield* typescriptFiles(root, name);
    else if (/\.[cm]?tsx?$|\.json$/.test(entry.name)) yield name;
  }
}
