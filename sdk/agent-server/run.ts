import type * as pulumi from "@pulumi/pulumi";
import { type Assistant, assistantIn } from "./assistant";
import { AgentServerResource, isOfType } from "./resource";
import type { ServerArgs } from "./server-args";

/** What runs, and when it runs again. */
export type RunArgs = ServerArgs & {
  /** The assistant that runs: an `Assistant`, the id of one, or the name of a graph. */
  assistant: Assistant | pulumi.Input<string>;
  /** A thread that exists. By default each run has one of its own, which is deleted with the resource. */
  threadId?: pulumi.Input<string>;
  input?: pulumi.Input<unknown>;
  /** Resumes or leads the graph, in place of an input. */
  command?: pulumi.Input<Record<string, unknown>>;
  /** Configuration of the run, as it travels. */
  config?: pulumi.Input<Record<string, unknown>>;
  context?: pulumi.Input<Record<string, unknown>>;
  /** Names and values of your own. */
  metadata?: pulumi.Input<Record<string, unknown>>;
  /** Any values. Each change of them, and of nothing else, starts another run. */
  triggers?: pulumi.Input<unknown[]>;
};

/**
 * A run as an action: once when it is created, and once for each change of its triggers
 * (`POST /threads/{thread_id}/runs`, `GET /threads/{thread_id}/runs/{run_id}/join`). `pulumi up` waits until the run ends and
 * fails if the run fails; after an interruption, the next one resumes the same run. For migrations and smoke tests.
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
  /** Type token; policies match the resource by it. */
  static readonly __pulumiType = "pulumi-nodejs:dynamic/agentserver:Run";

  /** The newest run. */
  declare readonly runId: pulumi.Output<string | undefined>;
  /** The thread that it ran on. */
  declare readonly ranOn: pulumi.Output<string | undefined>;
  /** The values of the thread's state when it had ended. */
  declare readonly output: pulumi.Output<unknown>;

  constructor(name: string, args: RunArgs, opts?: pulumi.CustomResourceOptions) {
    super(kind, name, assistantIn(args), opts);
  }

  /** Whether the value is a `Run`, also one from another copy of this package. */
  static override isInstance(value: unknown): value is Run {
    return isOfType(value, Run.__pulumiType);
  }
}

const kind = {
  className: "Run",
  type: Run.__pulumiType,
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
