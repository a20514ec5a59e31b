import { isAbsolute, posix, sep } from "node:path";
import { type Fault, inOrder } from "./fault";
import { loadManifests, type ManifestPlaces } from "./load";
import { ManifestError } from "./manifest-error";
import type { ManifestKind } from "./format";
import { type DeclaredResource, locate } from "./parse";
import { isCredentialVariable } from "./readable-variables";
import { resolveReferences, type Values } from "./resolve";
import { valueAt } from "./texts";

/** A resource of a workspace, ready to be created. */
export interface WorkspaceResource {
  kind: ManifestKind;
  /** Name of the resource. */
  name: string;
  /**
   * Arguments of the resource's class. A resource in a deployment specifies the deployment by the name of the
   * deployment's manifest.
   */
  args: unknown;
  protect?: boolean;
  retain?: boolean;
}

/**
 * Returns the resources that the manifests of a workspace declare, deployments first, with the values of their
 * references.
 *
 * @throws ManifestError with all faults
 */
export function declaredIn<Secret>(
  workspace: string,
  places: ManifestPlaces & { connectionKeys?: readonly string[] },
  values: Values<Secret>,
): WorkspaceResource[] {
  const unreadable = values.readableVariables.filter(isCredentialVariable);
  if (unreadable.length > 0)
    throw new ManifestError(
      `Workspace "${workspace}": environmentVariables cannot list ${unreadable.join(", ")}, because manifests must not read credentials. Use \${secret:NAME} for secrets.`,
    );
  const { deployments, others, faults } = loadManifests(places);
  fail(workspace, faults);
  const declared: DeclaredResource[] = [...deployments, ...others];
  const resolved = declared.map((resource) => resolveReferences(resource, values));
  const unlisted = declared.flatMap((resource) => unlistedKey(resource, places.connectionKeys ?? []));
  fail(workspace, inOrder([...unlisted, ...resolved.flatMap((one) => one.faults)]));
  return declared.map((resource, at) => {
    const { kind, name } = resource;
    const { protect, retain, ...args } = withFolders(resolved[at]!.spec as Spec, resource);
    // The name of the manifest is also the name of the deployment, unless an agent is specified instead.
    const own = kind !== "Deployment" || "agent" in args ? {} : { name };
    return { kind, name, args: { ...own, ...args }, protect, retain };
  });
}

/**
 * Returns a fault for an API key that the program does not list. The provider sends the key to the address in the
 * manifest, so the program specifies which keys may be used.
 */
function unlistedKey(resource: DeclaredResource, listed: readonly string[]): Fault[] {
  const path = ["spec", "connection", "apiKeyFrom"];
  const name = valueAt(resource, path);
  if (typeof name !== "string" || listed.includes(name)) return [];
  const reason = `the program does not let manifests use this key; add ${JSON.stringify(name)} to \`connectionKeys\` of the Workspace`;
  return locate(resource, [{ path, reason, aboutName: false }]);
}

interface Folders {
  folder?: unknown;
  dependencyFolders?: unknown;
}

interface Spec extends Pick<WorkspaceResource, "protect" | "retain">, Folders {
  sourceRevisionConfig?: Folders;
}

/**
 * Resolves folders. In a manifest, they are relative to the manifest's file; in the arguments of a resource, they are
 * relative to the project's folder.
 */
function withFolders(spec: Spec, { kind, place }: DeclaredResource): Spec {
  const within = kind === "Deployment" ? ["spec", "sourceRevisionConfig"] : ["spec"];
  const fromProject = (folder: unknown, field: keyof Folders): unknown =>
    typeof folder !== "string" || isAbsolute(folder)
      ? folder
      : posix.join(posix.dirname(place([...within, field]).file.replaceAll(sep, "/")), folder);
  const moved = <Given extends Folders>({ folder, dependencyFolders, ...others }: Given) => ({
    ...others,
    ...(folder !== undefined && { folder: fromProject(folder, "folder") }),
    ...(Array.isArray(dependencyFolders) && {
      dependencyFolders: dependencyFolders.map((one) => fromProject(one, "dependencyFolders")),
    }),
  });
  if (kind !== "Deployment") return moved(spec);
  const { sourceRevisionConfig: config } = spec;
  return config === undefined ? spec : { ...spec, sourceRevisionConfig: moved(config) };
}

function fail(workspace: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  throw new ManifestError(
    `${count} in the manifests of workspace "${workspace}"; none of its resources was changed:`,
    faults,
  );
}
