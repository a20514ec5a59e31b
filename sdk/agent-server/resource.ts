import * as pulumi from "@pulumi/pulumi";
import { hiddenInputs, transportable } from "../hidden-inputs";
import type { ServerArgs } from "./server-args";

/** One kind of an agent server's resources, as the classes of programs declare it. */
interface DeclaredKind {
  /** Name of the class. */
  className: string;
  /** Type token. */
  type: string;
  /** Under which name `pulumi-agentserver/provider` exports the kind. */
  provider: string;
  /** What stays empty in a resource that is read by its id. */
  properties: readonly string[];
}

/** What all resources at agent servers have in common. */
export abstract class AgentServerResource extends pulumi.CustomResource {
  /** The deployment that holds it. */
  declare readonly deployment: pulumi.Output<{ id: string; url?: string } | undefined>;
  /** The agent server that holds it, if that belongs to no deployment. */
  declare readonly connection: pulumi.Output<{ url: string; apiKeyFrom?: string } | undefined>;
  /** Owner id in the ownership tag of what this resource manages. */
  declare readonly ownerId: pulumi.Output<string>;

  protected constructor(
    { className, type, provider, properties }: DeclaredKind,
    name: string,
    args: ServerArgs | undefined,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    const resource = `${className} "${name}"`;
    const given = transportable(resource, args);
    if (!given && !opts?.id)
      throw new Error(`${resource} needs arguments: a deployment, and what it is to be.`);
    super(
      type,
      name,
      {
        ...Object.fromEntries(properties.map((property) => [property, undefined])),
        ...given,
        deployment: reference(given?.deployment),
        connection: given?.connection,
        ownerId: undefined,
        // State holds this text, so it never changes.
        __provider: `exports.handler = () => require("pulumi-agentserver/provider").${provider};`,
        ...hiddenInputs(type, name, given, opts),
      },
      opts,
    );
  }
}

/** The id and the address alone: a whole resource would bring its other properties along. */
function reference(deployment: ServerArgs["deployment"]): pulumi.Inputs | undefined {
  return deployment && { id: deployment.id, url: deployment.url };
}

/** Whether the value is a resource of that type, also one from another copy of this package. */
export function isOfType(value: unknown, type: string): boolean {
  return (
    pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === type
  );
}
