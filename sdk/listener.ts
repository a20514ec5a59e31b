import * as pulumi from "@pulumi/pulumi";
import { prepareArgs } from "./hidden-inputs";
import { isOfType, registrationOf } from "./registration";

/** Arguments of a listener. */
export interface ListenerArgs {
  /** Name of the cluster, unique in the workspace. Changing it replaces the listener. */
  computeId: pulumi.Input<string>;
  /** Kubernetes namespaces that the listener deploys to. */
  namespaces: pulumi.Input<pulumi.Input<string>[]>;
  /** Version of the listener. It cannot be cleared. */
  version?: pulumi.Input<string>;
  /**
   * Specifies when an existing listener of the cluster is adopted: only with `"always"`, because listeners do not have
   * an ownership tag.
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
  /** Type token, which policies use to match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Listener";

  declare readonly computeId: pulumi.Output<string>;
  declare readonly namespaces: pulumi.Output<string[]>;
  declare readonly version: pulumi.Output<string | undefined>;

  constructor(name: string, args: ListenerArgs, opts?: pulumi.CustomResourceOptions) {
    const resource = `Listener "${name}"`;
    const inputs = prepareArgs(resource, args as ListenerArgs | undefined);
    if (!inputs && !opts?.id) throw new Error(`${resource} needs arguments: computeId, namespaces.`);
    const { type, added, opts: options } = registrationOf("Listener", "listener", name, inputs, opts);
    super(
      type,
      name,
      {
        computeId: undefined,
        namespaces: undefined,
        version: undefined,
        ...inputs,
        controlPlane: undefined,
        ownerId: undefined,
        ...added,
      },
      options,
    );
  }

  /** True if the value is a `Listener`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is Listener {
    return isOfType(value, "Listener");
  }
}
