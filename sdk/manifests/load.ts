import { lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { type Fault, inOrder } from "./fault";
import { ManifestError } from "./manifest-error";
import { type DeclaredDeployment, type DeclaredResource, parseManifests } from "./parse";
import { refusedFolders } from "./project-boundary";
import { type FolderContent, readFolder } from "./read-folder";

/** Locations of the manifests of a workspace. */
export interface ManifestPlaces {
  /** Folder that all specified and displayed paths are relative to. */
  root: string;
  manifests: string;
  /**
   * Folder with the stack's overlays. If specified, it must exist. Defaults to `<manifests>/overlays/<stack>` if that
   * folder exists.
   */
  overlays?: string;
  /** Name of the stack. Without it, overlays are only used if `overlays` specifies a folder. */
  stack?: string;
  /** True to allow manifests that do not declare any deployments. */
  allowEmpty?: boolean;
}

/**
 * Returns the declarations in the manifests of a workspace, and all faults in them.
 *
 * @throws ManifestError if a folder does not exist, or if no deployments are declared and `allowEmpty` is not set
 */
export function loadManifests(places: ManifestPlaces): {
  deployments: DeclaredDeployment[];
  others: DeclaredResource[];
  faults: Fault[];
} {
  const { root, manifests, allowEmpty } = places;
  const folder = existing(resolve(root, manifests), places);
  const overlays = overlayFolder(folder, places);
  const base = readFolder(folder, root, [join(folder, "overlays"), ...(overlays ? [overlays] : [])]);
  const patches: FolderContent = overlays ? readFolder(overlays, root) : { files: [], faults: [] };
  const parsed = parseManifests({ manifests: base.files, overlays: patches.files });
  const refused = refusedFolders([...parsed.deployments, ...parsed.others], places);
  const faults = inOrder([...base.faults, ...patches.faults, ...parsed.faults, ...refused]);
  if (faults.length === 0 && parsed.deployments.length === 0 && !allowEmpty)
    throw new ManifestError(
      `No manifest declares a deployment in ${manifests}. If the workspace should have no deployments, set allowEmpty.`,
    );
  if (faults.length > 0) return { deployments: [], others: [], faults };
  return parsed;
}

/** Returns the stacks that have overlays or settings in this project. */
export function stacksOf(places: ManifestPlaces): string[] {
  const folder = resolve(places.root, places.manifests);
  const named = ancestors(folder).flatMap((place) =>
    isFolder(place) ? readdirSync(place).flatMap((name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? []) : [],
  );
  return [...new Set([...stacksWithOverlays(places), ...named])].sort();
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}

/** Returns the stacks that have overlays in the default folder. */
export function stacksWithOverlays({ root, manifests }: ManifestPlaces): string[] {
  const folder = join(resolve(root, manifests), "overlays");
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.startsWith(".") && isFolder(join(folder, name)))
    .sort();
}

function overlayFolder(folder: string, places: ManifestPlaces): string | undefined {
  const { root, overlays, stack } = places;
  if (overlays !== undefined) return existing(resolve(root, overlays), places);
  if (stack === undefined) return undefined;
  const own = join(folder, "overlays", stack);
  const link = [dirname(own), own].find((one) => lstatSync(one, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined)
    throw new ManifestError(
      `${relative(root, link)} is a link, which is not followed. Replace it with the folder itself. Nothing was read or changed.`,
    );
  return isFolder(own) ? own : undefined;
}

/**
 * Returns the path of a folder. Throws if the folder does not exist, because a wrong path must not be mistaken for an
 * empty workspace.
 */
function existing(folder: string, { root }: ManifestPlaces): string {
  if (isFolder(folder)) return folder;
  const shown = relative(root, folder) || ".";
  throw new ManifestError(`There is no folder ${shown} in ${root}. Nothing was read or changed.`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
