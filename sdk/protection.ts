import * as pulumi from "@pulumi/pulumi";
import { valueIfKnown } from "./known-value";
import { pluginScope } from "./registration";

/**
 * Sets Pulumi's `protect` option from `deletionProtection`, because the engine does not call the provider when it
 * previews a deletion. An explicit `protect` option takes precedence.
 * @param props inputs of the registered resource
 */
export function withProtection(
  isProtected: pulumi.Input<boolean | null> | undefined,
  props: pulumi.Inputs,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions | undefined {
  if (
    opts?.protect !== undefined ||
    isProtected === undefined ||
    isProtected === null ||
    isProtected === false
  )
    return opts;
  // Unit tests have no engine and therefore no transforms. In the plugin, Pulumi does not report its engine.
  if (isProtected === true || !(pluginScope.getStore() || pulumi.runtime.hasEngine()))
    return { ...opts, protect: true };
  // Options must be known when the resource is constructed; only a transform can wait for the value. It returns the
  // original props, because a transform receives props that are secret as a whole if any value is secret.
  const transform: pulumi.ResourceTransform = async ({ opts: current }) =>
    (await valueIfKnown(isProtected))?.value === true
      ? { props, opts: { ...current, protect: true } }
      : undefined;
  return { ...opts, transforms: [transform, ...(opts?.transforms ?? [])] };
}
