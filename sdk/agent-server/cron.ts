import type * as pulumi from "@pulumi/pulumi";
import { type Assistant, assistantIn } from "./assistant";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** When a cron fires, and what its runs get. What is left out is not sent, and stays as it is. */
export type CronArgs = ServerArgs & {
  /** The assistant that runs: an `Assistant`, the id of one, or the name of a graph. Another one replaces the cron. */
  assistant: Assistant | pulumi.Input<string>;
  /** Five fields: minute, hour, day, month and day of the week. */
  schedule: pulumi.Input<string>;
  /** Name of the time zone in which the schedule counts, such as `Europe/Berlin`. By default UTC. */
  timezone?: pulumi.Input<string>;
  /** ISO time after which it does not fire any more. Null clears it. */
  endTime?: pulumi.Input<string | null>;
  /** Whether it fires. By default it does. */
  enabled?: pulumi.Input<boolean>;
  /** The thread that every run continues. Left out, each run has a thread of its own. Another one replaces the cron. */
  threadId?: pulumi.Input<string>;
  /** Input of every run. */
  input?: pulumi.Input<unknown>;
  /** Configuration of every run, as it travels. */
  config?: pulumi.Input<Record<string, unknown>>;
  /** Context of every run. */
  context?: pulumi.Input<Record<string, unknown>>;
  /** Names and values of your own. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** Address that is called when a run has ended. */
  webhook?: pulumi.Input<string>;
  /** Nodes before which a run stops, or all of them. */
  interruptBefore?: pulumi.Input<"*" | pulumi.Input<string>[]>;
  /** Nodes after which a run stops, or all of them. */
  interruptAfter?: pulumi.Input<"*" | pulumi.Input<string>[]>;
  /** What becomes of the thread of each run. By default it is deleted. Not with `threadId`. */
  onRunCompleted?: pulumi.Input<"delete" | "keep">;
  /** What happens where the thread is busy; with `threadId` only. Another one replaces the cron. */
  multitaskStrategy?: pulumi.Input<"reject" | "interrupt" | "rollback" | "enqueue">;
  /** When the state of a run is written: with each step, beside it, or at its end. */
  durability?: pulumi.Input<"sync" | "async" | "exit">;
  /** A cron that exists and is to be taken over, by its id. */
  cronId?: pulumi.Input<string>;
};

/**
 * A schedule on which an assistant runs (`POST /runs/crons`, `POST /threads/{thread_id}/runs/crons`,
 * `PATCH /runs/crons/{cron_id}`, `DELETE /runs/crons/{cron_id}`). Whatever interrupts `pulumi up`, there is one of it.
 *
 * @example
 * new Cron("report", {
 *   deployment: agent,
 *   assistant: brief,
 *   schedule: "0 9 * * 1-5",
 *   timezone: "Europe/Berlin",
 *   input: { messages: [{ role: "user", content: "Write the report." }] },
 * });
 */
export class Cron extends AgentServerResource {
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Cron";

  declare readonly assistant: pulumi.Output<string>;
  declare readonly schedule: pulumi.Output<string>;
  declare readonly timezone: pulumi.Output<string | undefined>;
  declare readonly endTime: pulumi.Output<string | null | undefined>;
  declare readonly enabled: pulumi.Output<boolean | undefined>;
  declare readonly threadId: pulumi.Output<string | undefined>;
  /** The next three times at which it fires, as they were when it was looked at last. */
  declare readonly nextRuns: pulumi.Output<string[] | undefined>;

  constructor(name: string, args: CronArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, assistantIn(args), opts);
  }

  /** Whether the value is a `Cron`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is Cron {
    return isOfType(value, Cron.__pulumiType);
  }
}

const kind = {
  className: "Cron",
  type: Cron.__pulumiType,
  provider: "cron",
  properties: [
    "assistant",
    "schedule",
    "timezone",
    "endTime",
    "enabled",
    "threadId",
    "input",
    "config",
    "context",
    "metadata",
    "webhook",
    "interruptBefore",
    "interruptAfter",
    "onRunCompleted",
    "multitaskStrategy",
    "durability",
    "cronId",
    "nextRuns",
  ],
};
