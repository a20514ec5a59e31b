import * as pulumi from "@pulumi/pulumi";

/** Members of a component that its type does not declare. */
interface ComponentInternals {
  /** Promise that resolves when the component's constructor has finished. */
  __data?: Promise<unknown>;
  /** Resources that have this component as their parent. */
  __childResources?: Iterable<pulumi.Resource>;
}

/**
 * Returns the arguments of a function after the resources in `dependsOn` have been created or updated. In a preview
 * that creates one of them, the arguments are unknown. The other options have no effect, because the functions do not
 * run in a provider plugin.
 */
export function afterDependencies<Args>(
  args: pulumi.Output<Args>,
  { dependsOn = [] }: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Args> {
  const resources = pulumi.output(dependsOn as pulumi.Input<pulumi.Resource | pulumi.Resource[]>);
  const ready = resources.apply((found) => pulumi.all([found].flat().map(readyOutput)));
  return pulumi.all([args, ready]).apply(([resolved]) => resolved) as pulumi.Output<Args>;
}

/** Returns an output that resolves when the resource exists or, for a component, when the resources in it exist. */
function readyOutput(resource: pulumi.Resource): pulumi.Output<unknown> {
  if (pulumi.CustomResource.isInstance(resource)) return pulumi.all([resource.urn, resource.id]);
  const component = resource as pulumi.Resource & ComponentInternals;
  return pulumi
    .all([component.urn, component.__data])
    .apply(() => pulumi.all([...(component.__childResources ?? [])].map(readyOutput)));
}
