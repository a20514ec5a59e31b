import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { sameRepository } from "../../provider/repository/same-repository";
import { valueIfKnown } from "../known-value";
import type { OtherControlPlane } from "../other-control-plane";

/** Outputs of a deployment in the state of the stack. */
export interface DeploymentInState {
  name?: string;
  connection?: object;
  source?: string;
  sourceConfig?: { repoUrl?: string };
  sourceRevisionConfig?: {
    repoRef?: string | null;
    imageUri?: string | null;
    graphConfigPath?: string | null;
  };
}

/** Inputs that identify a deployment and its source. A change to one of them replaces the deployment. */
interface Identity {
  name: string;
  connection: OtherControlPlane | undefined;
  source: string;
  repoUrl: pulumi.Input<string | undefined>;
}

/** Returns the names of the inputs that differ from those in state, except inputs that are unknown in this preview. */
export async function changedIdentity(
  { name, connection, source, sourceConfig }: DeploymentInState,
  wanted: Identity,
): Promise<string[]> {
  const repoUrl = await valueIfKnown(wanted.repoUrl);
  const [before = "", after = ""] = [sourceConfig?.repoUrl, repoUrl?.value];
  const same: Record<string, boolean> = {
    name: name === wanted.name,
    // State does not contain undefined fields.
    connection: isDeepStrictEqual(
      connection,
      wanted.connection && JSON.parse(JSON.stringify(wanted.connection)),
    ),
    source: source === wanted.source,
    "sourceConfig.repoUrl": repoUrl === undefined || sameRepository(before, after),
  };
  return Object.keys(same).filter((field) => !same[field]);
}

/**
 * Reads the deployments of an `Environments` component from the state of the stack. The state determines which
 * environments exist, because a server may omit a deployment from its list or its name from the record, and the engine
 * deletes what is not declared.
 */
export async function deploymentsInState(
  component: pulumi.Resource,
): Promise<(environment: string) => DeploymentInState | undefined> {
  const { __aliases: aliases } = component as unknown as { __aliases: pulumi.Input<string>[] };
  const known = await Promise.all([component.urn, ...aliases].map((one) => valueIfKnown(one)));
  const urns = known.flatMap((one) => (one ? [one.value] : []));
  const all = Object.entries(await resourcesInState());
  return (environment) =>
    all.find(
      ([urn, { outputs }]) => outputs && urns.some((parent) => isDeploymentOf(urn, parent, environment)),
    )?.[1].outputs;
}

/** True if a resource is the deployment of an environment in the component with this URN. */
function isDeploymentOf(urn: string, componentUrn: string, environment: string): boolean {
  const [types = "", name] = urn.split("::").slice(2);
  const [componentTypes, componentName] = componentUrn.split("::").slice(2);
  return (
    types.startsWith(`${componentTypes}$`) &&
    types.endsWith(":Deployment") &&
    name === `${componentName}-${environment}`
  );
}

/** Returns the outputs of the resources in the state of the stack, keyed by URN. */
async function resourcesInState(): Promise<Record<string, { outputs?: DeploymentInState }>> {
  const read = async (stackName: string) => {
    const found: unknown = await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", {
      stackName,
    });
    return (found as { outputs?: Record<string, { outputs?: DeploymentInState }> }).outputs ?? {};
  };
  const stack = pulumi.getStack();
  // Backends with the legacy layout accept only the name of the stack.
  return read(`${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`).catch((error: unknown) =>
    read(stack).catch(() => {
      throw error;
    }),
  );
}
