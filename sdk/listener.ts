import * as pulumi from "@pulumi/pulumi";
import { withPluginAlias } from "./plugin-alias";
import { hiddenInputs, prepareArgs } from "./hidden-inputs";

/** Arguments of a listener. */
export interface ListenerArgs {
  /** Name of the cluster, unique in the workspace. Changing it replaces the listener. */
  computeId: pulumi.Input<string>;
  /** Kubernetes namespaces to which the listener deploys. */
  namespaces: pulumi.Input<pulumi.Input<string>[]>;
  /** Version of the listener. It cannot be cleared. */
  version?: pulumi.Input<string>;
  /**
   * Specifies when an existing listener of the cluster is adopted: only with "always", because listeners have no
   * ownership tag.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
}

/**
 * Listener, which runs deployments in a cluster of the workspace (`POST /v2/listeners`, `PATCH
 * /v2/listeners/{listener_id}`, `DELETE /v2/listeners/{listener_id}`).
 *
 * @example
 * const listener = new Listener("cluster", { computeId: "agents-eu", namespaces: ["agents"] });
 */
export class Listener extends pulumi.CustomResource {
  /** Type token, by which policies match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Listener";

  declare readonly computeId: pulumi.Output<string>;
  declare readonly namespaces: pulumi.Output<string[]>;
  declare readonly version: pulumi.Output<string | undefined>;

  constructor(name: string, args: ListenerArgs, opts?: pulumi.CustomResourceOptions) {
    const resource = `Listener "${name}"`;
    const inputs = prepareArgs(resource, args as ListenerArgs | undefined);
    if (!inputs && !opts?.id) throw new Error(`${resource} needs arguments: computeId, namespaces.`);
    super(
      Listener.__pulumiType,
      name,
      {
        computeId: undefined,
        namespaces: undefined,
        version: undefined,
        ...inputs,
        controlPlane: undefined,
        ownerId: undefined,
        __provider: 'exports.handler = () => require("pulumi-agentserver/provider").listener;',
        ...hiddenInputs(Listener.__pulumiType, name, inputs, opts),
      },
      withPluginAlias("Listener", opts),
    );
  }

  /** True if the value is a `Listener`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is Listener {
    if (!pulumi.CustomResource.isInstance(value)) return false;
    return (value as { __pulumiType?: string }).__pulumiType === Listener.__pulumiType;
  }
}
