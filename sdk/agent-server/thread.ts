import type * as pulumi from "@pulumi/pulumi";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** One write to the state of a thread, as if a node had returned it. */
export interface SuperstepUpdateArgs {
  values?: pulumi.Input<unknown>;
  command?: pulumi.Input<Record<string, unknown>>;
  asNode: pulumi.Input<string>;
}

/** Arguments of a thread. What is omitted is not sent, and stays as it is. */
export type ThreadArgs = ServerArgs & {
  /** A UUID. By default derived from the resource once, and then kept: the same in every stack of the project. */
  threadId?: pulumi.Input<string>;
  /** The graph whose state it has; required for an initial state. Null clears it. */
  graph?: pulumi.Input<string | null>;
  /** Names and values of your own. Null removes those that this resource set. */
  metadata?: pulumi.Input<Record<string, unknown> | null>;
  /** How long it lives after its last use, and what happens to it then. It cannot be cleared. */
  ttl?: pulumi.Input<{ minutes: pulumi.Input<number>; strategy?: pulumi.Input<"delete" | "keep_latest"> }>;
  /** The steps that lead to its initial state. A change of them sends nothing. */
  supersteps?: pulumi.Input<{ updates: pulumi.Input<pulumi.Input<SuperstepUpdateArgs>[]> }[]>;
  /** Its initial state, as one step. A change of it sends nothing. */
  state?: pulumi.Input<{ values: pulumi.Input<unknown>; asNode?: pulumi.Input<string> }>;
  /** True to delete or replace it even if it has runs. */
  forceDelete?: pulumi.Input<boolean>;
  /** When an existing thread of this id is adopted: see "Ownership and `adopt`" in docs/behavior.md. */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * A thread of a deployment (`POST /threads`, `PATCH /threads/{thread_id}`, `DELETE /threads/{thread_id}`). A thread
 * that has runs is neither deleted nor replaced unless `forceDelete` allows it.
 *
 * @example
 * const inbox = new Thread("inbox", { deployment: agent, graph: "agent", metadata: { purpose: "inbox" } });
 */
export class Thread extends AgentServerResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Thread";

  declare readonly threadId: pulumi.Output<string>;
  declare readonly graph: pulumi.Output<string | null | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | null | undefined>;

  constructor(name: string, args: ThreadArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** True if the value is a `Thread`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is Thread {
    return isOfType(value, Thread.__pulumiType);
  }
}

const kind = {
  className: "Thread",
  type: Thread.__pulumiType,
  provider: "thread",
  properties: ["threadId", "graph", "metadata", "ttl", "supersteps", "state", "forceDelete", "adopt"],
};
