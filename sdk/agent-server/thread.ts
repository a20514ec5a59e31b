import type * as pulumi from "@pulumi/pulumi";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/** Update of a thread's state, applied as if a node had returned it. */
export interface SuperstepUpdateArgs {
  /** Values that the node returns. */
  values?: pulumi.Input<unknown>;
  /** Command that directs the graph. */
  command?: pulumi.Input<Record<string, unknown>>;
  /** Name of the node that returns the values. */
  asNode: pulumi.Input<string>;
}

/** Arguments of a thread. Omitted arguments are not sent and keep their values on the server. */
export type ThreadArgs = ServerArgs & {
  /**
   * ID of the thread, a UUID. By default, it is derived from the resource when the resource is created, and does not
   * change afterward. It is the same in every stack of the project. Changing it replaces the thread.
   */
  threadId?: pulumi.Input<string>;
  /** Graph that defines the thread's state; required for an initial state. `null` clears it. */
  graph?: pulumi.Input<string | null>;
  /** Custom metadata. `null` removes the entries that this resource set. */
  metadata?: pulumi.Input<Record<string, unknown> | null>;
  /** Time to live after the last use, and the action when it expires. It cannot be cleared. */
  ttl?: pulumi.Input<{
    /** Number of minutes after the last use. */
    minutes: pulumi.Input<number>;
    /** Action when the time expires: deletes the thread, or all of its states except the latest. */
    strategy?: pulumi.Input<"delete" | "keep_latest">;
  }>;
  /** Steps that produce the initial state. Changing them has no effect. */
  supersteps?: pulumi.Input<
    {
      /** Updates of the step. */
      updates: pulumi.Input<pulumi.Input<SuperstepUpdateArgs>[]>;
    }[]
  >;
  /** Initial state, specified as a single step. Changing it has no effect. */
  state?: pulumi.Input<{
    /** Values of the state. */
    values: pulumi.Input<unknown>;
    /** Node that returns the values. Chosen by the server if omitted. */
    asNode?: pulumi.Input<string>;
  }>;
  /** True to delete or replace the thread even if it has runs. */
  forceDelete?: pulumi.Input<boolean>;
  /** Specifies when an existing thread with this ID is adopted; see "Ownership and `adopt`" in docs/behavior.md. */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Thread of a deployment (`POST /threads`, `PATCH /threads/{thread_id}`, `DELETE /threads/{thread_id}`). A thread with
 * runs is deleted or replaced only if `forceDelete` is true.
 *
 * @example
 * const inbox = new Thread("inbox", { deployment: agent, graph: "agent", metadata: { purpose: "inbox" } });
 */
export class Thread extends AgentServerResource {
  /** Type token, which policies use to match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Thread";

  declare readonly threadId: pulumi.Output<string>;
  declare readonly graph: pulumi.Output<string | null | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | null | undefined>;

  constructor(name: string, args: ThreadArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** True if the value is a `Thread`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is Thread {
    return isOfType(value, "Thread");
  }
}

const kind: ResourceClass = {
  className: "Thread",
  provider: "thread",
  properties: ["threadId", "graph", "metadata", "ttl", "supersteps", "state", "forceDelete", "adopt"],
};
