import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { insideCheckout } from "../../build/checkout-files";
import type { PythonLanguage } from "../../build/graph-language";
import { runtimePackages } from "./packages";

/** Packages to install for a project. */
export interface Requirements {
  /** Requirements as lines of a requirements file. */
  lines: string[];
  /** Folders of the source in which modules are looked up, in addition to the installed packages. */
  path: string[];
  /** Projects of the source that are installed in place. */
  projects: string[];
  /** Files that determine which packages are installed. */
  files: string[];
  /** Absolute path of the applicable `uv.lock`. */
  lock?: string;
  /** Absolute path of the pip configuration file. */
  pipConfigFile?: string;
  /**
   * True if the same files always result in the same packages. False if the files refer to other code in the source.
   */
  repeatable: boolean;
}

/** Matches lines in a requirements file that include code from the source. */
const ownCode = /^\s*(-e|--editable|\.{0,2}\/|\.\s*$|file:)|@\s*file:/m;

/** Reads the `dependencies` of a graph configuration, and the files that they refer to. */
export async function readRequirements(
  root: string,
  folder: string,
  { dependencies, pipConfigFile }: PythonLanguage,
): Promise<Requirements> {
  const found: Requirements = {
    lines: Object.entries(runtimePackages).map(([name, version]) => `${name}==${version}`),
    path: [folder],
    projects: [],
    files: [],
    repeatable: true,
  };
  for (const dependency of dependencies) {
    if (dependency.startsWith(".")) await addFolder(found, root, folder, dependency);
    else found.lines.push(requirement(dependency));
  }
  const lock = [folder, ...found.projects, ...found.path].map((at) => join(at, "uv.lock")).find(existsSync);
  if (lock) {
    found.lock = lock;
    found.files.push(lock);
  }
  if (pipConfigFile !== undefined) {
    const file = await insideCheckout(root, folder, pipConfigFile, `The pip_config_file ${pipConfigFile}`);
    found.pipConfigFile = file;
    found.files.push(file);
  }
  return found;
}

function requirement(text: string): string {
  if (/^\s*-|[\r\n]/.test(text) || text.trim() === "")
    throw new Error(
      `dependencies contains "${text}", which is not the name of a package. Put pip options in requirements.txt or in the pip_config_file.`,
    );
  return text;
}

/**
 * Adds a folder, whose modules become importable. A folder with a project file is also installed; for any other folder,
 * the requirements file is installed if there is one.
 */
async function addFolder(found: Requirements, root: string, from: string, dependency: string): Promise<void> {
  const folder = await folderInside(root, from, dependency);
  if (!found.path.includes(folder)) found.path.push(folder);
  const projectFiles = ["pyproject.toml", "setup.py", "setup.cfg"].map((name) => join(folder, name));
  const requirements = join(folder, "requirements.txt");
  if (projectFiles.slice(0, 2).some(existsSync)) {
    found.projects.push(folder);
    found.lines.push(`-e ${quoted(folder)}`);
    found.files.push(...projectFiles.filter(existsSync));
    const texts = await Promise.all(projectFiles.filter(existsSync).map((file) => readFile(file, "utf8")));
    // Packages may read their requirements from any file.
    if (texts.some((text) => /file:|^\s*path\s*=|tool\.uv\.sources/m.test(text))) found.repeatable = false;
    for (const file of [requirements].filter(existsSync)) await addFile(found, root, file);
  } else if (existsSync(requirements)) {
    found.lines.push(`-r ${quoted(requirements)}`);
    await addFile(found, root, requirements);
  }
}

/** Adds a requirements file and the files that it includes. */
async function addFile(found: Requirements, root: string, file: string): Promise<void> {
  if (found.files.includes(file)) return;
  found.files.push(file);
  const text = await readFile(file, "utf8");
  if (ownCode.test(text)) found.repeatable = false;
  const included = text.matchAll(/^\s*(?:-r|-c|--requirement|--constraint)[\s=]*(\S+)/gm);
  for (const [, name] of included) {
    const other = resolve(dirname(file), name!);
    if (existsSync(other) && other.startsWith(root + sep)) await addFile(found, root, other);
  }
}

async function folderInside(root: string, from: string, path: string): Promise<string> {
  const folder = await realpath(resolve(from, path)).catch(() => undefined);
  if (folder === undefined || !(await stat(folder)).isDirectory())
    throw new Error(
      `dependencies contains the folder ${path}, which does not exist in the source of this revision.`,
    );
  if (folder !== root && !folder.startsWith(root + sep))
    throw new Error(
      `dependencies contains the folder ${path}, which is outside the source: ${relative(root, folder)}.`,
    );
  return folder;
}

const quoted = (path: string): string => path.replaceAll(" ", "\\ ");
