import type * as pulumi from "@pulumi/pulumi";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** One write to the state of a thread, as if a node had returned it. */
export interface SuperstepUpdateArgs {
  values?: pulumi.Input<unknown>;
  command?: pulumi.Input<Record<string, unknown>>;
  asNode: pulumi.Input<string>;
}

/** A conversation, or other state, that is there before anybody uses it. */
export type ThreadArgs = ServerArgs & {
  /** A UUID. By default one that follows from the resource: the same in every stack of the project. */
  threadId?: pulumi.Input<string>;
  /** The graph whose state it has; needed where it begins with one. */
  graph?: pulumi.Input<string>;
  /** Names and values of your own. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** How long it lives after its last use, and what becomes of it then. */
  ttl?: pulumi.Input<{ minutes: pulumi.Input<number>; strategy?: pulumi.Input<"delete" | "keep_latest"> }>;
  /** The steps that lead to the state that it begins with. A change of them sends nothing. */
  supersteps?: pulumi.Input<{ updates: pulumi.Input<pulumi.Input<SuperstepUpdateArgs>[]> }[]>;
  /** The state that it begins with, as one step. A change of it sends nothing. */
  state?: pulumi.Input<{ values: pulumi.Input<unknown>; asNode?: pulumi.Input<string> }>;
  /** Whether it is deleted although it has runs. By default it is not. */
  forceDelete?: pulumi.Input<boolean>;
};

/**
 * A thread of a deployment (`POST /threads`, `PATCH /threads/{thread_id}`, `DELETE /threads/{thread_id}`). It is never
 * deleted with what people have said in it, unless the program says so.
 *
 * @example
 * const inbox = new Thread("inbox", { deployment: agent, graph: "agent", metadata: { purpose: "inbox" } });
 */
export class Thread extends AgentServerResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Thread";

  declare readonly threadId: pulumi.Output<string>;
  declare readonly graph: pulumi.Output<string | undefined>;
  declare readonly metadata: pulumi.Output<Record<string, unknown> | undefined>;

  constructor(name: string, args: ThreadArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, args, opts);
  }

  /** Whether the value is a `Thread`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is Thread {
    return isOfType(value, Thread.__pulumiType);
  }
}

const kind = {
  className: "Thread",
  type: Thread.__pulumiType,
  provider: "thread",
  properties: ["threadId", "graph", "metadata", "ttl", "supersteps", "state", "forceDelete"],
};
