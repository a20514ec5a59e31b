import * as pulumi from "@pulumi/pulumi";
import { prepareArgs } from "../hidden-inputs";
import { registrationOf } from "../registration";
import type { TypeName } from "../../provider/resource/ownership/type-token";
import type { OtherControlPlane } from "../other-control-plane";
import { type ServerArgs, toReference } from "./server-args";

/** Description of a resource class, used to register it with the engine. */
export interface ResourceClass {
  className: TypeName;
  /** Name of the kind, as exported by `pulumi-agentserver/provider`. */
  provider: string;
  /** Names of the properties. All of these properties are undefined in a resource that is read by its ID. */
  properties: readonly string[];
}

/** Base class of all resources on agent servers. */
export abstract class AgentServerResource extends pulumi.CustomResource {
  /** Deployment that contains the resource. */
  declare readonly deployment: pulumi.Output<
    { id: string; url?: string; connection?: OtherControlPlane } | undefined
  >;
  /** Agent server that contains the resource, if it does not belong to a deployment. */
  declare readonly connection: pulumi.Output<{ url: string; apiKeyFrom?: string } | undefined>;
  /** Owner ID in the ownership tag of the managed object. */
  declare readonly ownerId: pulumi.Output<string>;

  protected constructor(
    { className, provider, properties }: ResourceClass,
    name: string,
    args: ServerArgs | undefined,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    const resource = `${className} "${name}"`;
    const inputs = prepareArgs(resource, args);
    if (!inputs && !opts?.id)
      throw new Error(`${resource} needs arguments: a deployment and the settings of the resource.`);
    const { type, added, opts: options } = registrationOf(className, provider, name, inputs, opts);
    super(
      type,
      name,
      {
        ...Object.fromEntries(properties.map((property) => [property, undefined])),
        ...inputs,
        deployment: inputs?.deployment && toReference(inputs.deployment),
        connection: inputs?.connection,
        ownerId: undefined,
        ...added,
      },
      options,
    );
  }
}
