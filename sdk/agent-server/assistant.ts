import type * as pulumi from "@pulumi/pulumi";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** Configuration of an assistant's runs. What is removed from it is removed on the server. */
export interface AssistantConfigArgs {
  /** Tags of the runs. */
  tags?: pulumi.Input<pulumi.Input<string>[] | null>;
  /** Maximum number of steps of one run. */
  recursionLimit?: pulumi.Input<number | null>;
  /** Values of the graph's configuration schema; newer graphs have `context` instead. */
  configurable?: pulumi.Input<Record<string, unknown> | null>;
}

/** Arguments of an assistant. What is omitted is not sent, and stays as it is. */
export type AssistantArgs = ServerArgs & {
  /** The graph that it runs. */
  graph: pulumi.Input<string>;
  /** A UUID. By default derived from the resource once, and then kept: the same in every stack of the project. */
  assistantId?: pulumi.Input<string>;
  /** Display name. It cannot be cleared. */
  name?: pulumi.Input<string>;
  /** Null clears it. */
  description?: pulumi.Input<string | null>;
  /** Null clears it. */
  config?: pulumi.Input<AssistantConfigArgs | null>;
  /** Values of the graph's context schema, sent as a whole. Null clears it. */
  context?: pulumi.Input<Record<string, unknown> | null>;
  /** Names and values of your own. Null removes those that this resource set. */
  metadata?: pulumi.Input<Record<string, unknown> | null>;
  /** The version to use instead of the newest one. While it is set, other changes are only kept in state. */
  pinVersion?: pulumi.Input<number | null>;
  /** When an existing assistant of this id is adopted: see "Ownership and `adopt`" in docs/behavior.md. */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * An assistant of a deployment: a graph with a configuration of its own (`POST /assistants`,
 * `PATCH /assistants/{assistant_id}`, `DELETE /assistants/{assistant_id}`). Each update makes a new version.
 *
 * @example
 * const brief = new Assistant("brief", {
 *   deployment: agent,
 *   graph: "agent",
 *   context: { style: "brief" },
 * });
 */
export class Assistant extends AgentServerResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Assistant";

  declare readonly assistantId: pulumi.Output<string>;
  declare readonly graph: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string | undefined>;
  declare readonly description: pulumi.Output<string | null | undefined>;
  declare readonly config: pulumi.Output<pulumi.Unwrap<AssistantConfigArgs> | null | undefined>;
  declare readonly context: pulumi.Output<Record<string, unknown> | null | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | null | undefined>;
  /** The version in use: the newest one, or the pinned one. */
  declare readonly version: pulumi.Output<number | undefined>;

  constructor(name: string, args: AssistantArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** True if the value is an `Assistant`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is Assistant {
    return isOfType(value, Assistant.__pulumiType);
  }
}

/** The arguments with the id of an assistant in its place, which is known before the assistant is made. */
export function assistantIn<Args extends { assistant: Assistant | pulumi.Input<string> }>(args: Args): Args {
  // A program in JavaScript may forget them.
  const assistant = (args as Args | undefined)?.assistant;
  return Assistant.isInstance(assistant) ? { ...args, assistant: assistant.assistantId } : args;
}

const kind = {
  className: "Assistant",
  type: Assistant.__pulumiType,
  provider: "assistant",
  properties: [
    "assistantId",
    "graph",
    "name",
    "description",
    "config",
    "context",
    "metadata",
    "pinVersion",
    "version",
    "adopt",
  ],
};
