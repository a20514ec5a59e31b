import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Relevant fields of a package.json. */
export interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  [field: string]: unknown;
}

/** Package in this repository, with its package.json. */
export interface Package {
  /** Folder relative to the root; empty for the root package. */
  folder: string;
  manifest: Manifest;
}

/**
 * Returns the packages in a release: the root package and its workspaces.
 * @throws Error if the version of a package does not match the tag
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

/** Returns the root package and its workspaces. */
export function packagesOf(root: string): Package[] {
  const read = (folder: string): Package => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
  });
  const main = read("");
  return [main, ...(main.manifest.workspaces ?? []).map(read)];
}
