import type * as pulumi from "@pulumi/pulumi";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** How runs of an assistant are configured. */
export interface AssistantConfigArgs {
  /** Words that runs are found by. */
  tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** Most steps of one run. */
  recursionLimit?: pulumi.Input<number>;
  /** Values for the graph, as its configuration schema names them; newer graphs have `context` for it. */
  configurable?: pulumi.Input<Record<string, unknown>>;
}

/** What an assistant is to be. What is left out is not sent, and stays as it is. */
export type AssistantArgs = ServerArgs & {
  /** The graph that it runs. */
  graph: pulumi.Input<string>;
  /** A UUID. By default one that follows from the resource: the same in every stack of the project. */
  assistantId?: pulumi.Input<string>;
  /** Name that people see. */
  name?: pulumi.Input<string>;
  /** Null clears it. */
  description?: pulumi.Input<string | null>;
  config?: pulumi.Input<AssistantConfigArgs>;
  /** Values for the graph, as its context schema names them. Sent as a whole. */
  context?: pulumi.Input<Record<string, unknown>>;
  /** Names and values of your own. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** The version to use in place of the newest one. Until it is taken away, other changes are kept and not sent. */
  pinVersion?: pulumi.Input<number | null>;
  /**
   * Whether an assistant of this id that exists is taken over: never, only this resource's own and the graph's default
   * one (the default), or always.
   */
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
  declare readonly config: pulumi.Output<pulumi.Unwrap<AssistantConfigArgs> | undefined>;
  declare readonly context: pulumi.Output<Record<string, unknown> | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | undefined>;
  /** The version that is used: the newest one, or the pinned one. */
  declare readonly version: pulumi.Output<number | undefined>;

  constructor(name: string, args: AssistantArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** Whether the value is an `Assistant`, also one from another copy of this package. */
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
