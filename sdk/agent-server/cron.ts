import type * as pulumi from "@pulumi/pulumi";
import { type Assistant, assistantIn } from "./assistant";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/**
 * When a cron starts runs, and what they get. An omitted argument is not sent and keeps its value on the server; `null`
 * resets one to the server's default.
 */
export type CronArgs = ServerArgs & {
  /** The assistant that runs: an `Assistant`, the id of one, or the name of a graph. Another one replaces the cron. */
  assistant: Assistant | pulumi.Input<string>;
  /** Five fields: minute, hour, day, month and day of the week. */
  schedule: pulumi.Input<string>;
  /** Name of the time zone of the schedule, such as `Europe/Berlin`. By default UTC. */
  timezone?: pulumi.Input<string | null>;
  /** ISO time after which the cron starts no runs. */
  endTime?: pulumi.Input<string | null>;
  /** False disables the cron. By default it is enabled. */
  enabled?: pulumi.Input<boolean | null>;
  /** The thread of all runs. By default, each run has its own thread. Another one replaces the cron. */
  threadId?: pulumi.Input<string>;
  /** Input of every run. Clearing it with `null` replaces the cron. */
  input?: pulumi.Input<unknown>;
  /** Configuration of every run, with the names of the API. */
  config?: pulumi.Input<Record<string, unknown> | null>;
  /** Context of every run. */
  context?: pulumi.Input<Record<string, unknown> | null>;
  /** Your own names and values. */
  metadata?: pulumi.Input<Record<string, unknown> | null>;
  /** URL that the server calls when a run has ended. Clearing it with `null` replaces the cron. */
  webhook?: pulumi.Input<string | null>;
  /** Nodes before which a run stops, or all of them. */
  interruptBefore?: pulumi.Input<"*" | pulumi.Input<string>[] | null>;
  /** Nodes after which a run stops, or all of them. */
  interruptAfter?: pulumi.Input<"*" | pulumi.Input<string>[] | null>;
  /** What happens to the thread of each run. By default it is deleted. Not with `threadId`. */
  onRunCompleted?: pulumi.Input<"delete" | "keep" | null>;
  /** What happens if the thread is busy; with `threadId` only. Another one replaces the cron. */
  multitaskStrategy?: pulumi.Input<"reject" | "interrupt" | "rollback" | "enqueue" | null>;
  /** When the state of a run is written: with each step, during the next step, or at the end. */
  durability?: pulumi.Input<"sync" | "async" | "exit" | null>;
  /** Id of an existing cron, which `adopt` allows this resource to adopt. Without effect once the resource exists. */
  cronId?: pulumi.Input<string>;
  /**
   * When the cron that `cronId` specifies is adopted: never, only if it carries this resource's ownership tag (the
   * default), or always.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * A schedule on which an assistant runs (`POST /runs/crons`, `POST /threads/{thread_id}/runs/crons`,
 * `PATCH /runs/crons/{cron_id}`, `DELETE /runs/crons/{cron_id}`). An interrupted `pulumi up` leaves no second one that runs.
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
  declare readonly timezone: pulumi.Output<string | null | undefined>;
  declare readonly endTime: pulumi.Output<string | null | undefined>;
  declare readonly enabled: pulumi.Output<boolean | null | undefined>;
  declare readonly threadId: pulumi.Output<string | undefined>;
  /** The next three times at which the cron starts a run, as of the last request about it; none if it is disabled. */
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
    "adopt",
    "nextRuns",
  ],
};
