import { z } from "zod";
import { identifier } from "../../wire";

/** An assistant, as far as it matters that there is one. */
export const assistantRow = z.object({ assistant_id: identifier, graph_id: z.string() });

const json = z.record(z.string(), z.unknown());

/** An assistant as its newest version, or the one that is used in its place, has it. */
export const assistantRecord = assistantRow.extend({
  name: z.string().nullish(),
  description: z.string().nullish(),
  config: json.nullish(),
  context: json.nullish(),
  metadata: json.nullish(),
  version: z.int().nullish(),
});

/** What can be said of an assistant; what is left out stays as it is. */
export interface AssistantBody {
  graph_id: string;
  name?: string;
  description?: string | null;
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
}

/** JSON schemas of what a graph takes; null where it does not say. */
export const assistantSchemas = z.object({
  graph_id: z.string().nullish(),
  config_schema: json.nullish(),
  context_schema: json.nullish(),
});

/** Answer of the `…/count` operations. */
export const count = z.int().min(0);

/** A cron; what its runs get stands in `payload`. */
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

/** What can be said of a cron; what is left out stays as it is. */
export interface CronBody {
  assistant_id: string;
  schedule: string;
  [field: string]: unknown;
}

/** An item of the store. What it lives by and is found by is never told. */
export const storeItemRecord = z.object({ namespace: z.array(z.string()), key: z.string(), value: json });

/**
 * First label of the namespaces in which resources record which items they have written. Servers report nothing else about
 * who wrote an item.
 */
export const recordLabel = "pulumi-agentserver";

/** An item that is put into the store. */
export interface StoreItemBody {
  namespace: readonly string[];
  key: string;
  value: Record<string, unknown>;
  /** False for an item that no search finds by its contents, or the paths that one does; null for the usual ones. */
  index?: false | readonly string[] | null;
  /** Minutes after which it is gone. */
  ttl?: number | null;
}

export const threadRecord = z.object({ thread_id: identifier });

/** A thread with what was said of it. */
export const storedThread = threadRecord.extend({ metadata: json.nullish(), status: z.string().nullish() });

/** A thread as a search finds it. */
export const foundThread = storedThread.extend({
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
});

/** What can be said of a thread; what is left out stays as it is. */
export interface ThreadBody {
  metadata?: Record<string, unknown>;
  ttl?: { strategy?: string | undefined; ttl: number };
  supersteps?: { updates: object[] }[];
}

/** `pending` and `running` are under way; `success` is the only good end. */
export const runRecord = z.object({ run_id: identifier, status: z.string().min(1) });

/** A run with what was said of it. */
export const storedRun = runRecord.extend({ metadata: json.nullish() });

/** What a run is started with. */
export interface RunBody {
  assistant_id: string;
  metadata: Record<string, unknown>;
  [field: string]: unknown;
}

/** What `join` answers: the thread's values or, after a run that failed, its error. */
export const joinedRun = z
  .looseObject({ __error__: z.looseObject({ error: z.string().nullish(), message: z.string().nullish() }) })
  .partial()
  .nullable()
  .catch(null);

/** The state of a thread; servers report the error of a failed run with its task. */
export const threadState = z.object({
  values: z.unknown(),
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
