import * as pulumi from "@pulumi/pulumi";
import type { DeploymentArgs } from "./deployment-args";

/** Inputs that the provider needs and the engine does not display: it hides names that start with `__`. */
export function hiddenInputs(
  type: string,
  name: string,
  args: DeploymentArgs | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const timeouts = opts?.customTimeouts;
  return {
    // A dynamic provider is told neither the URN nor the organization.
    __urn: detached(pulumi.createUrn(name, type, opts?.parent)),
    __organization: pulumi.getOrganization(),
    __timeouts: timeouts && { create: timeouts.create, update: timeouts.update, delete: timeouts.delete },
    __secretPaths: pulumi
      .output(secretPaths(args, []))
      .apply((paths) => (paths.length > 0 ? paths : undefined)),
  };
}

/**
 * The value without what it was made of. The URN is made of the parent's, and Pulumi takes a component that an input
 * is made of for all of its children: two of them would wait for each other for ever.
 */
function detached<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value as Value)));
}

/** Marks each value as secret, not the map, so that a preview can show the names. */
export function secretValues(
  secrets: DeploymentArgs["secrets"],
): pulumi.Input<Record<string, unknown>> | undefined {
  if (secrets === undefined || pulumi.Output.isInstance(secrets) || secrets instanceof Promise)
    return secrets && pulumi.secret(secrets as pulumi.Input<Record<string, string>>);
  return Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, pulumi.secret(value)]));
}

/** Paths of the inputs that are secret; the provider gets them as plain values and must not print them. */
async function secretPaths(value: unknown, path: string[]): Promise<string[]> {
  if (path[0] === "secrets") return [];
  if (pulumi.Output.isInstance(value)) return (await pulumi.isSecret(value)) ? [path.join(".")] : [];
  if (typeof value !== "object" || value === null || value instanceof Promise) return [];
  const inside = Object.entries(value).map(([key, item]) => secretPaths(item, [...path, key]));
  return (await Promise.all(inside)).flat();
}
