import { type Fault, inOrder } from "./fault";
import { loadManifests, type ManifestPlaces } from "./load";
import { ManifestError } from "./manifest-error";
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
  return resolved.map(({ name, spec }) => {
    const { protect, retain, ...args } = spec as Pick<WorkspaceDeployment, "protect" | "retain">;
    // The name of the manifest is that of the deployment, unless an agent stands in its place.
    const own = "agent" in args ? {} : { name };
    return { name, args: { ...own, ...args }, protect, retain };
  });
}

function fail(workspace: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  throw new ManifestError(
    `${count} in the manifests of workspace "${workspace}"; none of its deployments was changed:`,
    faults,
  );
}
