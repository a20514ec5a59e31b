import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What is read of a package.json. */
export interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  [field: string]: unknown;
}

/** A package of this repository. */
export interface Package {
  /** Its folder, from the root: empty for the root itself. */
  folder: string;
  manifest: Manifest;
}

/**
 * The packages of a release: that of the root, and its workspaces.
 * @throws Error when one of them does not have the version of the tag
 */
export function releasedPackages(root: string, tag: string): Package[] {
  const packages = packagesOf(root);
  const others = packages.filter(({ manifest }) => tag !== `v${manifest.version}`);
  if (others.length === 0) return packages;
  const versions = others.map(({ manifest }) => `${manifest.name} is ${manifest.version}`).join(", ");
  throw new Error(
    `The tag is ${tag}, but ${versions}. Set the version in each package.json, or tag v<version>.`,
  );
}

/** The package of the root, and its workspaces. */
export function packagesOf(root: string): Package[] {
  const read = (folder: string): Package => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
  });
  const main = read("");
  return [main, ...(main.manifest.workspaces ?? []).map(read)];
}
