import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildTargets } from "../build/targets";

interface LockEntry {
  name?: string;
  version: string;
  license?: string;
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, LockEntry>;
}

/** Package in an installation according to the lock file. */
export interface LockedPackage {
  /** Name and version of the package, such as `axios@1.0.0`. */
  id: string;
  name: string;
  /** SPDX expression of the license that the package states. */
  license?: string | undefined;
  /** IDs of the packages that this package depends on. */
  dependsOn: string[];
}

/**
 * Returns the packages that an installation of a package contains according to the lock file: the package itself and
 * its direct and indirect dependencies, excluding development and peer dependencies.
 * @param root folder of the lock file
 * @param folder folder of the package relative to the root; empty for the root package
 */
export function lockedPackages(root: string, folder: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const paths = new Set([folder]);
  const found = new Map<string, LockedPackage>();
  // The loop also visits elements that are added to the set while it runs.
  for (const path of paths) {
    const { dependencies, optionalDependencies, ...entry } = packages[path]!;
    const required = Object.keys({ ...dependencies, ...optionalDependencies });
    const targets = required.flatMap((name) => locate(packages, path, name) ?? []);
    targets.forEach((target) => paths.add(target));
    const id = idOf(packages, path);
    const dependsOn = targets.map((target) => idOf(packages, target));
    found.set(id, { id, name: nameOf(packages, path), license: entry.license, dependsOn });
  }
  return [...found.values()];
}

/**
 * Returns the packages whose code is included in the files of a package: those in the bundle of the web console, and
 * those whose files are copied.
 * @param root folder of the lock file, with compiled packages
 * @param folder folder of the package relative to the root; empty for the root package
 */
export function bundledPackages(root: string, folder: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
  const targets = buildTargets.filter(({ output }) =>
    folder === "" ? output === "dist" : output.startsWith(`${folder}/`),
  );
  const copied = targets.flatMap(({ copies }) => Object.values(copies ?? {})).map(({ from }) => from);
  const listed = targets
    .map(({ output }) => join(root, output, "licenses.txt"))
    .filter((file) => existsSync(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/(?:^|\n-{80}\n\n)(\S+) \S+\n/g)])
    .map(([, name]) => name!);
  return [...new Set([...copied, ...listed])].sort().flatMap((name) => {
    const path = locate(packages, folder, name);
    if (path === undefined) throw new Error(`The lock file does not contain ${name}. Run \`npm install\`.`);
    return { id: idOf(packages, path), name, license: packages[path]!.license, dependsOn: [] };
  });
}

/** Returns the path of a dependency as resolved by Node.js, or `undefined` if it is optional and not installed. */
function locate(packages: Record<string, LockEntry>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/"), 0))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = packages[path];
    if (entry) return entry.link ? entry.resolved : path;
    if (folder === "") return undefined;
  }
}

function nameOf(packages: Record<string, LockEntry>, path: string): string {
  return packages[path]!.name ?? path.split("node_modules/").at(-1)!;
}

function idOf(packages: Record<string, LockEntry>, path: string): string {
  return `${nameOf(packages, path)}@${packages[path]!.version}`;
}
