import * as pulumi from "@pulumi/pulumi";

/**
 * Sets Pulumi's option `protect` according to `deletionProtection`: the engine does not ask a provider in the preview of a
 * deletion. The option itself takes precedence.
 * @param props the inputs that the resource is registered with
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
  // Unit tests have no engine, and so no transforms.
  if (isProtected === true || !pulumi.runtime.hasEngine()) return { ...opts, protect: true };
  // An option must be known when the resource is constructed; only a transform may wait for the value. It returns the
  // props as they are, because those that it gets are secret as a whole if one value in them is.
  const transform: pulumi.ResourceTransform = async ({ opts: current }) =>
    (await knownValue(isProtected)) === true ? { props, opts: { ...current, protect: true } } : undefined;
  return { ...opts, transforms: [transform, ...(opts?.transforms ?? [])] };
}

/** The value of an input, or undefined if it is not known in this preview. */
async function knownValue<Value>(input: pulumi.Input<Value>): Promise<Value | undefined> {
  const output = pulumi.output(input) as unknown as pulumi.Output<Value> & { isKnown: Promise<boolean> };
  if (!(await output.isKnown)) return undefined;
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}
