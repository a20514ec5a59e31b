import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { installationEnvironment } from "./environment";
import type { Tools } from "./interpreter";
import type { Requirements } from "./requirements";

/** Increased when environments are made in another way. */
const format = 1;

/** Folders in which no package of the project itself lies. */
const aside = /^(\.|node_modules$|__pycache__$|tests?$|docs?$)/;

/**
 * A name for all that decides what an installation gives: the same name, the same environment. Undefined where the files
 * do not tell it.
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
  // As they are in the source, wherever that lies.
  add(requirements.lines.map((line) => line.replaceAll(root, "")));
  for (const file of requirements.files) add(relative(root, file), await readFile(file, "utf8"));
  for (const folder of requirements.projects) add(relative(root, folder), await packagesIn(folder));
  return hash.digest("hex").slice(0, 32);
}

/** The packages of a project: installed as it lies there, it finds new modules, but not new packages. */
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
