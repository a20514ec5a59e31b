import type * as pulumi from "@pulumi/pulumi";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/** Configuration of an assistant's runs. Removing a field also removes it on the server. */
export interface AssistantConfigArgs {
  /** Tags for the runs. */
  tags?: pulumi.Input<pulumi.Input<string>[] | null>;
  /** Maximum number of steps per run. */
  recursionLimit?: pulumi.Input<number | null>;
  /** Values for the graph's configuration schema; newer graphs use a context schema and `context` instead. */
  configurable?: pulumi.Input<Record<string, unknown> | null>;
}

/** Arguments of an assistant. Omitted arguments are not sent and keep their values on the server. */
export type AssistantArgs = ServerArgs & {
  /** Graph that the assistant runs. */
  graph: pulumi.Input<string>;
  /**
   * ID of the assistant, a UUID. By default, it is derived from the resource when the resource is created, and does not
   * change afterward. It is the same in every stack of the project. Changing it replaces the assistant.
   */
  assistantId?: pulumi.Input<string>;
  /** Display name. It cannot be cleared. */
  name?: pulumi.Input<string>;
  /** Description of the assistant. `null` clears it. */
  description?: pulumi.Input<string | null>;
  /** Configuration of the runs. `null` clears it. */
  config?: pulumi.Input<AssistantConfigArgs | null>;
  /** Values for the graph's context schema, sent as a whole. `null` clears it. */
  context?: pulumi.Input<Record<string, unknown> | null>;
  /** Custom metadata. `null` removes the entries that this resource set. */
  metadata?: pulumi.Input<Record<string, unknown> | null>;
  /**
   * Version to use instead of the newest one. While it is set, other changes are recorded in state but not sent.
   * Removing it creates a version with all declared values.
   */
  pinVersion?: pulumi.Input<number | null>;
  /** Specifies when an existing assistant with this ID is adopted; see "Ownership and `adopt`" in docs/behavior.md. */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Assistant of a deployment: a graph with its own configuration (`POST /assistants`, `PATCH
 * /assistants/{assistant_id}`, `DELETE /assistants/{assistant_id}`). Each update creates a new version.
 *
 * @example
 * const brief = new Assistant("brief", {
 *   deployment: agent,
 *   graph: "agent",
 *   context: { style: "brief" },
 * });
 */
export class Assistant extends AgentServerResource {
  /** Type token, which policies use to match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Assistant";

  declare readonly assistantId: pulumi.Output<string>;
  declare readonly graph: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string | undefined>;
  declare readonly description: pulumi.Output<string | null | undefined>;
  declare readonly config: pulumi.Output<pulumi.Unwrap<AssistantConfigArgs> | null | undefined>;
  declare readonly context: pulumi.Output<Record<string, unknown> | null | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | null | undefined>;
  /** Version in use: the newest one or the pinned one. */
  declare readonly version: pulumi.Output<number | undefined>;

  constructor(name: string, args: AssistantArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** True if the value is an `Assistant`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is Assistant {
    return isOfType(value, "Assistant");
  }
}

/** Replaces an `Assistant` in the arguments with its ID, which is known before the assistant is created. */
export function withAssistantId<Args extends { assistant: Assistant | pulumi.Input<string> }>(
  args: Args,
): Args {
  // JavaScript programs may omit the arguments.
  const assistant = (args as Args | undefined)?.assistant;
  return Assistant.isInstance(assistant) ? { ...args, assistant: assistant.assistantId } : args;
}

const kind: ResourceClass = {
  className: "Assistant",
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
