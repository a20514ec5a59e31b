import { setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { asError } from "../../provider/errors";
import { partsOfUrn } from "../../provider/resource/ownership/urn";
import { valueIfKnown } from "../known-value";
import type { DeploymentInState } from "./held-inputs";

/** Environments in the state of the stack. */
export interface EnvironmentsInState {
  /** Returns the outputs of the deployment of an environment; `undefined` if state does not contain it. */
  find(environment: string): DeploymentInState | undefined;
  /**
   * Fails the program if the environment may be in state under an earlier name of the component. The component does not
   * know aliases that come from parents and transforms. If the program did not fail, the component would not declare
   * such an environment, and the engine would delete the environment's resources.
   */
  requireAbsent(environment: string): Promise<void>;
}

/**
 * Reads the deployments of an `Environments` component from the state of the stack. The state determines which
 * environments exist. The server's list is not sufficient, because a server may omit a deployment or its name, and the
 * engine deletes resources that are not declared.
 * @param environments all environments of the component
 */
export async function environmentsInState(
  component: pulumi.Resource,
  environments: readonly string[],
): Promise<EnvironmentsInState> {
  const { __aliases: aliases } = component as unknown as { __aliases: pulumi.Input<string>[] };
  const known = await Promise.all([component.urn, ...aliases].map((one) => valueIfKnown(one)));
  const urns = known.flatMap((one) => (one ? [one.value] : []));
  const resources = await resourcesInState().catch((error: unknown) => {
    const reason = asError(error).message.replace(/^.*returned an error: /s, "");
    throw new pulumi.RunError(
      `Environments "${partsOfUrn(urns[0]!).name}": the state of the stack could not be read, so it is not known which environments exist: ${reason}. Nothing is deleted; run the command again.`,
    );
  });
  // In an update, the state already contains a new component, but the component's outputs are stored only when it is
  // complete.
  const earlier = urns.flatMap((urn) => resources[urn]?.outputs?.environments ?? []);
  const isOwn = earlier.length > 0;
  const own = [...environments, ...earlier];
  const listed = (urn: string) => (urns.includes(urn) ? own : resources[urn]?.outputs?.environments);
  const find = (environment: string) =>
    Object.entries(resources).find(
      ([urn, one]) => one?.outputs && urns.some((parent) => isDeploymentOf(urn, parent, environment)),
    )?.[1]?.outputs;
  // In an update, the engine has already renamed the component in state, but not its deployments.
  const isRenamed = isOwn && !earlier.some((one) => find(one));
  return {
    find,
    requireAbsent: async (environment) => {
      for (const urn of Object.keys(resources)) {
        const other = componentOf(urn, environment);
        const isOwnUrn = own.some((one) => urns.some((owner) => isDeploymentOf(urn, owner, one)));
        if (other === undefined || isOwnUrn) continue;
        const owners = ownersOf(urn, listed, isRenamed ? other : undefined);
        if ((isOwn && other in resources) || (await areDeclared(owners))) continue;
        const [newName, name] = [partsOfUrn(urns[0]!).name, partsOfUrn(other).name];
        throw new pulumi.RunError(
          `Environments "${newName}": the state of the stack contains ${environment} of Environments "${name}", which the program has not declared, so that environment would be deleted or replaced. If "${name}" was renamed to "${newName}", add the previous URN to the options of the component: aliases: ["${other}"]. If the program declares "${name}" later, declare it before "${newName}". If "${name}" is no longer needed, remove it in a separate update.`,
        );
      }
    },
  };
}

/** Returns the URN of the component to which a deployment of an environment belongs. */
function componentOf(urn: string, environment: string): string | undefined {
  const { start, name } = deploymentIn(urn) ?? {};
  const suffix = `-${environment}`;
  return name?.endsWith(suffix) ? `${start}::${name.slice(0, -suffix.length)}` : undefined;
}

/**
 * Returns the parts of the URN of a deployment in a component with environments: the URN of the component without its
 * name, and the name of the deployment.
 */
function deploymentIn(urn: string): { start: string; name: string } | undefined {
  const [, start, name] =
    /^(.*\bagentserver:index:Environments)\$agentserver:index:AgentService\$[^$]*:Deployment::(.*)$/s.exec(
      urn,
    ) ?? [];
  return start === undefined ? undefined : { start, name: name! };
}

/**
 * Returns the URNs of the components to which a deployment may belong. There can be several, because the names of
 * components and environments may contain the separator (`-`).
 * @param environmentsOf returns the environments of a component, if they are known
 * @param renamed URN of a component that the program may have renamed
 */
function ownersOf(
  urn: string,
  environmentsOf: (component: string) => readonly string[] | undefined,
  renamed: string | undefined,
): string[] {
  const { start, name = "" } = deploymentIn(urn) ?? {};
  const candidates = [...name.matchAll(/-/g)].map(({ index }) => {
    const owner = `${start}::${name.slice(0, index)}`;
    const listed = environmentsOf(owner);
    return { owner, listed, isListed: listed?.includes(name.slice(index + 1)) };
  });
  // A component whose first update failed lists no environments. It is not the owner if another one lists the deployment.
  const owners = candidates.filter(({ isListed }) => isListed);
  if (owners.length === 0 && renamed !== undefined) return [renamed];
  return (owners.length > 0 ? owners : candidates.filter(({ listed }) => !listed)).map(({ owner }) => owner);
}

/**
 * Maximum time to wait until the program has registered other components, in milliseconds. Components are registered
 * concurrently.
 */
const registrationMs = 2_000;

/** Milliseconds between two checks of the registered components. */
const registrationCheckMs = 250;

/**
 * True if this run of the program declares one of these components. Components with other providers are constructed in
 * other processes, so only the engine knows all of them.
 */
async function areDeclared(owners: readonly string[]): Promise<boolean> {
  for (let left = registrationMs; ; left -= registrationCheckMs) {
    const declared = await Promise.all(owners.map((owner) => isDeclared(owner)));
    if (declared.includes(true)) return true;
    if (left <= 0) return false;
    await setTimeout(registrationCheckMs);
  }
}

/** True if this run of the program has already registered a resource with this URN. */
function isDeclared(urn: string): Promise<boolean> {
  return pulumi.runtime.invoke("pulumi:pulumi:getResource", { urn }).then(
    () => true,
    () => false,
  );
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

/** Outputs of the resources in the state of the stack, keyed by URN. */
type ResourcesInState = Record<
  string,
  { outputs?: DeploymentInState & { environments?: readonly string[] } } | undefined
>;

/** Pause before an incomplete state is read again, in milliseconds. */
const readRetryMs = 200;

async function resourcesInState(): Promise<ResourcesInState> {
  const read = async (stackName: string, retries = 10): Promise<ResourcesInState> => {
    let found: unknown;
    try {
      found = await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName });
    } catch (error) {
      // The engine may be writing the file that contains the state.
      if (retries === 0 || !asError(error).message.includes("failed to load checkpoint")) throw error;
      await setTimeout(readRetryMs);
      return read(stackName, retries - 1);
    }
    return (found as { outputs?: ResourcesInState }).outputs ?? {};
  };
  const stack = pulumi.getStack();
  return read(`${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`).catch((error: unknown) => {
    // Backends with the legacy layout accept only the plain name of the stack. In other backends, the plain name may
    // refer to a different stack.
    if (asError(error).message.includes("a stack name may only contain")) return read(stack);
    throw error;
  });
}
