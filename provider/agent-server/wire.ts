import { z } from "zod";
import { identifier } from "../../wire";

/** An assistant, without its settings. */
export const assistantRow = z.object({ assistant_id: identifier, graph_id: z.string() });

const json = z.record(z.string(), z.unknown());

/** The version of an assistant that is in use: the newest one, or the pinned one. */
export const assistantRecord = assistantRow.extend({
  name: z.string().nullish(),
  description: z.string().nullish(),
  config: json.nullish(),
  context: json.nullish(),
  metadata: json.nullish(),
  version: z.int().nullish(),
});

/** Body of a request that creates or changes an assistant; omitted fields do not change. */
export interface AssistantBody {
  graph_id: string;
  name?: string;
  description?: string | null;
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}

/** JSON schemas of the values that a graph accepts; null if the graph does not report one. */
export const assistantSchemas = z.object({
  graph_id: z.string().nullish(),
  config_schema: json.nullish(),
  context_schema: json.nullish(),
});

/** Response of the `…/count` operations. */
export const count = z.int().min(0);

/** A cron; `payload` contains the input and settings of its runs. */
export const cronRecord = z.object({
  cron_id: identifier,
  assistant_id: z.string().nullish(),
  thread_id: z.string().nullish(),
  schedule: z.string().nullish(),
  timezone: z.string().nullish(),
  end_time: z.string().nullish(),
  next_run_date: z.string().nullish(),
  enabled: z.boolean().nullish(),
  on_run_completed: z.string().nullish(),
  metadata: json.nullish(),
  payload: json.nullish(),
});

/** Body of a request that creates or changes a cron; omitted fields do not change. */
export interface CronBody {
  assistant_id: string;
  schedule: string;
  [field: string]: unknown;
}

/** An item in the store. Servers report neither its time to live nor its index. */
export const storeItemRecord = z.object({ namespace: z.array(z.string()), key: z.string(), value: json });

/**
 * First label of the namespaces that contain this provider's own records. Each record lists the items that a resource
 * has written, because servers do not report who wrote an item.
 */
export const recordLabel = "pulumi-agentserver";

/** Body of a request that writes an item to the store. */
export interface StoreItemBody {
  namespace: readonly string[];
  key: string;
  value: Record<string, unknown>;
  /** Paths to index for semantic search; false to exclude the item from search, null to use the server's default. */
  index?: false | readonly string[] | null;
  /** Number of minutes until the item expires. */
  ttl?: number | null;
}

export const threadRecord = z.object({ thread_id: identifier });

/** A thread with its metadata and status. */
export const storedThread = threadRecord.extend({
  metadata: json.nullish(),
  status: z.string().nullish(),
  values: z.unknown().optional(),
});

/** A thread in the results of a search. */
export const foundThread = storedThread.extend({
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** Body of a request that creates or changes a thread; omitted fields do not change. */
export interface ThreadBody {
  metadata?: Record<string, unknown>;
  ttl?: { strategy?: string | undefined; ttl: number };
  supersteps?: { updates: object[] }[];
}

/**
 * Status of a run. Runs with status `pending` or `running` are in progress; `success` is the only successful final
 * status.
 */
export const runRecord = z.object({
  run_id: identifier,
  status: z.string().min(1),
  created_at: z.string().nullish(),
});

/** A run with its metadata. */
export const storedRun = runRecord.extend({ metadata: json.nullish() });

/** Body of a request that starts a run. */
export interface RunBody {
  assistant_id: string;
  metadata: Record<string, unknown>;
  [field: string]: unknown;
}

/** Response of `join`: the values of the thread or, after a failed run, its error. */
export const joinedRun = z
  .looseObject({ __error__: z.looseObject({ error: z.string().nullish(), message: z.string().nullish() }) })
  .partial()
  .nullable()
  .catch(null);

/** The state of a thread. Servers report the error of a failed run with the failed task. */
export const threadState = z.object({
  values: z.unknown().optional(),
  tasks: z.array(z.looseObject({ error: z.unknown() })).nullish(),
});

export type RunRecord = z.infer<typeof runRecord>;
export type JoinedRun = z.infer<typeof joinedRun>;
export type ThreadState = z.infer<typeof threadState>;
export type AssistantRecord = z.infer<typeof assistantRecord>;
export type AssistantSchemas = z.infer<typeof assistantSchemas>;
export type CronRecord = z.infer<typeof cronRecord>;
export type StoreItemRecord = z.infer<typeof storeItemRecord>;
export type FoundThread = z.infer<typeof foundThread>;
export type StoredThread = z.infer<typeof storedThread>;
export type StoredRun = z.infer<typeof storedRun>;
