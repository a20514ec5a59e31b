import type * as pulumi from "@pulumi/pulumi";
import { type Assistant, withAssistantId } from "./assistant";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/**
 * Schedule and inputs of a cron's runs. An omitted argument is not sent and keeps its value on the server; `null`
 * resets it to the server's default.
 */
export type CronArgs = ServerArgs & {
  /** Assistant that runs: an `Assistant`, an assistant ID, or the name of a graph. Changing it replaces the cron. */
  assistant: Assistant | pulumi.Input<string>;
  /**
   * Cron schedule: minute, hour, day, month, and day of the week, optionally with seconds as a sixth field; or a name
   * such as `@daily`.
   */
  schedule: pulumi.Input<string>;
  /** IANA time zone of the schedule, such as `Europe/Berlin`. Defaults to UTC. */
  timezone?: pulumi.Input<string | null>;
  /** ISO 8601 time after which the cron no longer starts runs. */
  endTime?: pulumi.Input<string | null>;
  /** False to disable the cron, which is enabled by default. */
  enabled?: pulumi.Input<boolean | null>;
  /** Thread that all runs use. By default, each run has its own thread. Changing it replaces the cron. */
  threadId?: pulumi.Input<string>;
  /**
   * Input of every run: an object, or a list of objects. `null` clears it, which replaces the cron; if the program
   * omitted it before, the following `pulumi up` replaces the cron.
   */
  input?: pulumi.Input<unknown>;
  /**
   * Configuration of every run, with the field names of the API. `configurable` cannot be combined with `context`,
   * because both specify the same values.
   */
  config?: pulumi.Input<Record<string, unknown> | null>;
  /** Context of every run. */
  context?: pulumi.Input<Record<string, unknown> | null>;
  /** Custom metadata. */
  metadata?: pulumi.Input<Record<string, unknown> | null>;
  /**
   * URL, or path on the agent server, that the server calls when a run ends. `null` clears it, which replaces the cron;
   * if the program omitted it before, the following `pulumi up` replaces the cron.
   */
  webhook?: pulumi.Input<string | null>;
  /** Nodes before which a run pauses; `"*"` for all of them. */
  interruptBefore?: pulumi.Input<"*" | pulumi.Input<string>[] | null>;
  /** Nodes after which a run pauses; `"*"` for all of them. */
  interruptAfter?: pulumi.Input<"*" | pulumi.Input<string>[] | null>;
  /**
   * Specifies whether the thread of a run is deleted (the default) or kept after the run has finished. Cannot be
   * combined with `threadId`.
   */
  onRunCompleted?: pulumi.Input<"delete" | "keep" | null>;
  /** Action if the thread is busy; only with `threadId`. Changing it replaces the cron. */
  multitaskStrategy?: pulumi.Input<"reject" | "interrupt" | "rollback" | "enqueue" | null>;
  /** Time at which the state of a run is saved: after each step, during the next step, or at the end. */
  durability?: pulumi.Input<"sync" | "async" | "exit" | null>;
  /** ID of an existing cron to adopt, subject to `adopt`. Has no effect after the resource has been created. */
  cronId?: pulumi.Input<string>;
  /**
   * Specifies when the existing cron with the ID `cronId` is adopted: never, only if it carries this resource's
   * ownership tag (the default), or always.
   */
  adopt?: pulumi.Input<"never" | "ifOwned" | "always">;
};

/**
 * Schedule that starts runs of an assistant (`POST /runs/crons`, `POST /threads/{thread_id}/runs/crons`, `PATCH
 * /runs/crons/{cron_id}`, `DELETE /runs/crons/{cron_id}`). An interrupted `pulumi up` does not leave a duplicate cron
 * that starts runs.
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
  /** Type token, which policies use to match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Cron";

  declare readonly assistant: pulumi.Output<string>;
  declare readonly schedule: pulumi.Output<string>;
  declare readonly timezone: pulumi.Output<string | null | undefined>;
  declare readonly endTime: pulumi.Output<string | null | undefined>;
  declare readonly enabled: pulumi.Output<boolean | null | undefined>;
  declare readonly threadId: pulumi.Output<string | undefined>;
  /** Next three times at which the cron starts a run, as of the last request; empty if the cron is disabled. */
  declare readonly nextRuns: pulumi.Output<string[] | undefined>;

  constructor(name: string, args: CronArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, withAssistantId(args), opts);
  }

  /** True if the value is a `Cron`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is Cron {
    return isOfType(value, "Cron");
  }
}

const kind: ResourceClass = {
  className: "Cron",
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
