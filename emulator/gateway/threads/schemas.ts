import { z } from "@hono/zod-openapi";
import { Checkpoint, CheckpointName, Flag, Metadata, Minutes, page, selection, Time, Uuid } from "../schemas";

const Ttl = z.union([
  z.looseObject({ strategy: z.enum(["delete", "keep_latest"]).default("delete"), ttl: Minutes }),
  // Older clients send only the minutes.
  Minutes.transform((ttl) => ({ strategy: "delete" as const, ttl })),
]);
const status = z.enum(["idle", "busy", "interrupted", "error"]);

const Interrupt = z
  .looseObject({ id: z.string().optional(), value: z.unknown() })
  .openapi("Interrupt", { required: ["value"] });
const RunError = z.looseObject({ error: z.string(), message: z.string() });

export const Thread = z
  .looseObject({
    thread_id: Uuid,
    created_at: Time,
    updated_at: Time,
    metadata: Metadata,
    status,
    state_updated_at: Time,
    config: Metadata,
    values: z.unknown().openapi({ description: "null until the thread has a state." }),
    interrupts: z
      .record(z.string(), z.array(Interrupt))
      .openapi({ description: "Interrupts of the thread, by task." }),
    error: RunError.nullable().openapi({ description: "Error of the last run." }),
  })
  .openapi("Thread");

const Superstep = z.looseObject({
  updates: z.array(
    z.looseObject({ as_node: z.string(), values: z.unknown().optional(), command: z.unknown().optional() }),
  ),
});

export const ThreadCreate = z
  .looseObject({
    thread_id: Uuid.optional(),
    metadata: Metadata.optional(),
    if_exists: z.enum(["raise", "do_nothing"]).optional(),
    ttl: Ttl.optional(),
    supersteps: z.array(Superstep).optional(),
  })
  .openapi("ThreadCreate");

export const ThreadPatch = z
  .looseObject({ metadata: Metadata.optional(), ttl: Ttl.optional() })
  .openapi("ThreadPatch");

const filter = { metadata: Metadata.optional(), values: Metadata.optional(), status: status.optional() };
const fields = [
  "thread_id",
  "created_at",
  "updated_at",
  "state_updated_at",
  "metadata",
  "config",
  "status",
  "values",
  "interrupts",
] as const;

const Extraction = z
  .record(z.string(), z.string().regex(/^(values|metadata|config|interrupts)\b/))
  .refine((paths) => Object.keys(paths).length <= 10, { message: "At most 10 paths" })
  .openapi({ maxProperties: 10 });

export const ThreadSearch = z
  .looseObject({
    ...filter,
    ids: z.array(Uuid).optional(),
    ...page(),
    sort_by: z.enum(["thread_id", "status", "created_at", "updated_at", "state_updated_at"]).optional(),
    sort_order: z.enum(["asc", "desc"]).optional(),
    select: selection(fields),
    extract: Extraction.optional(),
  })
  .openapi("ThreadSearchRequest");

export const ThreadCount = z.looseObject(filter).openapi("ThreadCountRequest");

export const ThreadPrune = z
  .looseObject({ thread_ids: z.array(Uuid), strategy: z.enum(["delete", "keep_latest"]).default("delete") })
  .openapi("ThreadPruneRequest");
export const ThreadPruned = z.object({ pruned_count: z.int() }).openapi("ThreadPruneResponse");

const ShownCheckpoint = z
  .looseObject({
    thread_id: z.string(),
    checkpoint_ns: z.string(),
    checkpoint_id: z.string(),
    checkpoint_map: Metadata.nullish(),
  })
  .openapi("Checkpoint");

const StateTask = z.looseObject({
  id: z.string(),
  name: z.string(),
  error: z.string().nullable(),
  interrupts: z.array(Interrupt),
  checkpoint: Metadata.nullable().openapi({ description: "Checkpoint of the state of a subgraph." }),
  state: z.unknown().openapi({ description: "The state of a subgraph, if it was requested." }),
});

export const ThreadState = z
  .looseObject({
    values: z.unknown(),
    next: z.array(z.string()),
    tasks: z.array(StateTask),
    interrupts: z.array(Interrupt),
    metadata: Metadata,
    created_at: Time.nullable(),
    checkpoint: ShownCheckpoint.nullable(),
    checkpoint_id: z.string().nullable(),
    parent_checkpoint: ShownCheckpoint.nullable(),
    parent_checkpoint_id: z.string().nullable(),
  })
  .openapi("ThreadState");

export const ThreadStateUpdated = z
  .looseObject({ checkpoint: ShownCheckpoint, configurable: ShownCheckpoint, checkpoint_id: z.string() })
  .openapi("ThreadStateUpdateResponse");

export const ThreadStateCheckpoint = z
  .looseObject({ checkpoint: Checkpoint, subgraphs: z.boolean().optional() })
  .openapi("ThreadStateCheckpointRequest");

export const ThreadStateUpdate = z
  .looseObject({
    values: z.union([z.array(z.unknown()), Metadata]).nullish(),
    checkpoint: Checkpoint.optional(),
    checkpoint_id: CheckpointName.optional(),
    as_node: z.string().optional(),
  })
  .openapi("ThreadStateUpdate");

/** ID of a checkpoint. Clients send it on its own, as part of a checkpoint, or as part of a configuration. */
const Before = z
  .preprocess(
    parsed,
    z.union([
      CheckpointName,
      z
        .looseObject({ configurable: Checkpoint.nullish(), checkpoint_id: CheckpointName.nullish() })
        .transform(
          ({ configurable, checkpoint_id }) => checkpoint_id ?? configurable?.checkpoint_id ?? undefined,
        ),
    ]),
  )
  .nullish()
  .openapi({ type: "object" });

/** Parses an object in a query, where it is sent as JSON. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !value.startsWith("{")) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const ThreadHistory = z
  .looseObject({
    limit: z.int().min(1).max(1000).default(1),
    before: Before,
    metadata: Metadata.optional(),
    checkpoint: Checkpoint.optional(),
  })
  .openapi("ThreadStateSearch");

export const ThreadPath = z.object({ thread_id: Uuid });
export const CheckpointPath = ThreadPath.extend({ checkpoint_id: Uuid });
export const ThreadQuery = z.object({ include: z.string().optional() });
export const StateQuery = z.object({ subgraphs: Flag.optional() });
export const HistoryQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1000).default(10),
  before: Before.openapi({ type: "string" }),
});
/** Modes of a thread stream, which may be sent as a single comma-separated string. */
const Modes = z
  .preprocess(
    (value) => [value].flat().flatMap((part) => (typeof part === "string" ? part.split(",") : [part])),
    z.array(
      z
        .string()
        .trim()
        .pipe(z.enum(["lifecycle", "run_modes", "state_update"])),
    ),
  )
  .openapi({ type: "array", items: {} })
  .optional();
export const StreamQuery = z.object({
  stream_modes: Modes,
  // The official clients send this field.
  stream_mode: Modes,
});
