import type * as pulumi from "@pulumi/pulumi";
import { type Assistant, withAssistantId } from "./assistant";
import { isOfType } from "../registration";
import { AgentServerResource, type ResourceClass } from "./resource";
import type { ServerArgs } from "./server-args";

/** Arguments of a run, and the triggers that start it again. */
export type RunArgs = ServerArgs & {
  /** Assistant that runs: an `Assistant`, an assistant ID, or the name of a graph. */
  assistant: Assistant | pulumi.Input<string>;
  /** Existing thread to run on. By default, each run has its own thread, which is deleted with the resource. */
  threadId?: pulumi.Input<string>;
  /** Input of the run. */
  input?: pulumi.Input<unknown>;
  /** Command that resumes or redirects the graph, instead of an input. */
  command?: pulumi.Input<Record<string, unknown>>;
  /**
   * Configuration of the run, with the field names of the API. `configurable` cannot be combined with `context`,
   * because both specify the same values.
   */
  config?: pulumi.Input<Record<string, unknown>>;
  /** Context of the run. */
  context?: pulumi.Input<Record<string, unknown>>;
  /** Custom metadata. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** Arbitrary values. Only a change to these values starts another run. */
  triggers?: pulumi.Input<unknown[]>;
};

/**
 * Run of an assistant, started when the resource is created and after each change to `triggers` (`POST
 * /threads/{thread_id}/runs`, `GET /threads/{thread_id}/runs/{run_id}/join`). `pulumi up` waits until the run ends and
 * fails if the run fails; after an interruption, the next `pulumi up` resumes the same run. Intended for migrations and
 * smoke tests.
 *
 * @example
 * const migration = new Run("migration", {
 *   deployment: agent,
 *   assistant: "migrate",
 *   input: { to: 3 },
 *   triggers: [3],
 * });
 */
export class Run extends AgentServerResource {
  /** Type token, which policies use to match the resource. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Run";

  /** ID of the newest run. */
  declare readonly runId: pulumi.Output<string | undefined>;
  /** ID of the thread of the newest run. */
  declare readonly ranOn: pulumi.Output<string | undefined>;
  /** Values of the thread's state when the run ended. */
  declare readonly output: pulumi.Output<unknown>;

  constructor(name: string, args: RunArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, withAssistantId(args), opts);
  }

  /** True if the value is a `Run`, including one created by another copy of this package. */
  static override isInstance(value: unknown): value is Run {
    return isOfType(value, "Run");
  }
}

const kind: ResourceClass = {
  className: "Run",
  provider: "run",
  properties: [
    "assistant",
    "threadId",
    "input",
    "command",
    "config",
    "context",
    "metadata",
    "triggers",
    "runId",
    "ranOn",
    "output",
  ],
};
