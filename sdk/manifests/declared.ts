import { isAbsolute, posix, sep } from "node:path";
import { type Fault, inOrder } from "./fault";
import { loadManifests, type ManifestPlaces } from "./load";
import { ManifestError } from "./manifest-error";
import type { DeclaredDeployment } from "./parse";
import { resolveReferences, type Values } from "./resolve";

/** A deployment of a workspace, ready for its resource. */
export interface WorkspaceDeployment {
  /** Name of the resource. */
  name: string;
  /** Arguments of `Deployment`. */
  args: unknown;
  protect?: boolean;
  retain?: boolean;
}

/**
 * The deployments that the manifests of a workspace declare, with the values that their references stand for.
 *
 * @throws ManifestError with everything that is wrong
 */
export function declaredIn<Secret>(
  workspace: string,
  places: ManifestPlaces,
  values: Values<Secret>,
): WorkspaceDeployment[] {
  const { deployments, faults } = loadManifests(places);
  fail(workspace, faults);
  const resolved = deployments.map((deployment) => ({
    name: deployment.name,
    ...resolveReferences(deployment, values),
  }));
  fail(workspace, inOrder(resolved.flatMap((deployment) => deployment.faults)));
  return resolved.map(({ name, spec }, at) => {
    const { protect, retain, ...args } = withFolder(spec as Spec, deployments[at]!);
    // The name of the manifest is that of the deployment, unless an agent stands in its place.
    const own = "agent" in args ? {} : { name };
    return { name, args: { ...own, ...args }, protect, retain };
  });
}

type Spec = Pick<WorkspaceDeployment, "protect" | "retain"> & { sourceRevisionConfig?: { folder?: unknown } };

/** A folder counts from the file that names it, and for a resource from the project's folder. */
function withFolder(spec: Spec, { place }: DeclaredDeployment): Spec {
  const { folder } = spec.sourceRevisionConfig ?? {};
  if (typeof folder !== "string" || isAbsolute(folder)) return spec;
  const { file } = place(["spec", "sourceRevisionConfig", "folder"]);
  const fromProject = posix.join(posix.dirname(file.replaceAll(sep, "/")), folder);
  return { ...spec, sourceRevisionConfig: { ...spec.sourceRevisionConfig, folder: fromProject } };
}

function fail(workspace: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  throw new ManifestError(
    `${count} in the manifests of workspace "${workspace}"; none of its deployments was changed:`,
    faults,
  );
}
