import { z } from "@hono/zod-openapi";
import { Checkpoint, Config, Flag, Metadata, several, Time, Uuid } from "../schemas";

export const strategies = ["reject", "rollback", "interrupt", "enqueue"] as const;
const statuses = ["pending", "running", "error", "success", "timeout", "interrupted"] as const;
const StreamMode = z.enum([
  "values",
  "messages",
  "messages-tuple",
  "tasks",
  "checkpoints",
  "updates",
  "events",
  "debug",
  "custom",
  // The runtime has a mode that the documents do not list.
  "tools",
]);
const Nodes = z.union([z.literal("*"), z.array(z.string())]);

export const Run = z
  .looseObject({
    run_id: Uuid,
    thread_id: Uuid,
    assistant_id: Uuid,
    created_at: Time,
    updated_at: Time,
    status: z.enum(statuses),
    metadata: Metadata,
    kwargs: Metadata,
    multitask_strategy: z.enum(strategies),
  })
  .openapi("Run");

/** True if a run is pending or running, and can therefore be canceled. */
export function isUnderWay({ status }: { status?: unknown }): boolean {
  return status === "pending" || status === "running";
}

/** An HTTP URL, or a path on the agent server itself. */
const Webhook = z
  .string()
  .min(1)
  .max(65_536)
  .refine((value) => value.startsWith("/") || /^https?:$/.test(URL.parse(value)?.protocol ?? ""), {
    message: "Must be an HTTP URL or a path",
  })
  .openapi({ format: "uri-reference" });

/** Fields that are used to create both runs and crons. */
export const execution = {
  assistant_id: z.string(),
  metadata: Metadata.optional(),
  config: Config.optional(),
  context: Metadata.optional(),
  webhook: Webhook.optional(),
  interrupt_before: Nodes.optional(),
  interrupt_after: Nodes.optional(),
  stream_mode: z.union([StreamMode, z.array(StreamMode)]).optional(),
  stream_subgraphs: z.boolean().optional(),
  stream_resumable: z.boolean().optional(),
  durability: z.enum(["sync", "async", "exit"]).optional(),
};

/** A node, and the input to execute it with. */
const Send = z.looseObject({ node: z.string(), input: z.unknown() }).openapi("Send");
const Command = z
  .looseObject({
    update: z.union([Metadata, z.array(z.unknown())]).nullish(),
    resume: z.unknown().optional(),
    goto: z.union([z.string(), z.array(z.string()), Send, z.array(Send)]).nullish(),
  })
  .openapi("Command");

const run = {
  ...execution,
  input: z.unknown().optional(),
  command: Command.nullish(),
  checkpoint: Checkpoint.optional(),
  feedback_keys: z.array(z.string()).optional(),
  after_seconds: z.number().min(0).max(1e9).optional(),
  checkpoint_during: z.boolean().optional(),
  on_disconnect: z.enum(["cancel", "continue"]).optional(),
};

export const RunCreateStateful = z
  .looseObject({
    ...run,
    multitask_strategy: z.enum(strategies).default("enqueue"),
    if_not_exists: z.enum(["create", "reject"]).optional(),
  })
  .openapi("RunCreateStateful");

export const RunCreateStateless = z
  .looseObject({
    ...run,
    multitask_strategy: z.enum(strategies).default("enqueue"),
    on_completion: z.enum(["delete", "keep"]).optional(),
  })
  .openapi("RunCreateStateless");

export type RunCreate = z.output<typeof RunCreateStateful> | z.output<typeof RunCreateStateless>;

export const RunPath = z.object({ thread_id: Uuid, run_id: Uuid });
export const RunListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(10),
  offset: z.coerce.number().int().min(0).default(0),
  status: z.enum(statuses).optional(),
  select: several(z.string()).optional(),
});
export const JoinQuery = z.object({
  cancel_on_disconnect: Flag.optional(),
  stream_mode: several(z.string()).optional(),
});

const action = z.enum(["interrupt", "rollback"]).default("interrupt");
export const CancelQuery = z.object({ wait: Flag.default(false), action });
export const CancelManyQuery = z.object({ action });
export const RunsCancel = z
  .union([
    z.looseObject({ status: z.enum(["pending", "running", "all"]) }),
    z.looseObject({ thread_id: Uuid, run_ids: z.array(Uuid) }),
  ])
  .openapi("RunsCancel");
