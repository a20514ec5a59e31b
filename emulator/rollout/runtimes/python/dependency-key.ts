import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { installationEnvironment } from "./environment";
import type { Tools } from "./interpreter";
import type { Requirements } from "./requirements";

/** Incremented when environments are created differently. */
const format = 1;

/** Folders that contain no packages of the project itself. */
const aside = /^(\.|node_modules$|__pycache__$|tests?$|docs?$)/;

/**
 * Returns a key of everything that determines the result of an installation: equal keys mean equal environments.
 * Returns `undefined` if the files do not determine it.
 */
export async function dependencyKey(
  root: string,
  { python, uv }: Tools,
  requirements: Requirements,
): Promise<string | undefined> {
  if (!requirements.repeatable) return undefined;
  const settings = Object.entries(installationEnvironment()).filter(([name]) => /^(PIP|UV)_/.test(name));
  const hash = createHash("sha256");
  const add = (...parts: unknown[]) => hash.update(`${JSON.stringify(parts)}\n`);
  add(format, process.platform, process.arch, python, uv !== undefined, settings.sort());
  // As in the source, independent of its location.
  add(requirements.lines.map((line) => line.replaceAll(root, "")));
  for (const file of requirements.files) add(relative(root, file), await readFile(file, "utf8"));
  for (const folder of requirements.projects) add(relative(root, folder), await packagesIn(folder));
  return hash.digest("hex").slice(0, 32);
}

/** Returns the packages of a project: an editable installation finds new modules, but not new packages. */
async function packagesIn(folder: string, depth = 2): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && depth > 0 && !aside.test(entry.name)) {
      found.push(entry.name);
      for (const inner of await packagesIn(join(folder, entry.name), depth - 1))
        found.push(join(entry.name, inner));
    } else if (entry.name.endsWith(".py") && depth === 2) found.push(entry.name);
  }
  return found.sort();
}
