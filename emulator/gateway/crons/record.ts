import type { RunCreate } from "../runs/schemas";
import type { Cron } from "./schemas";

/** The part of a cron that becomes the request body of its runs. */
export type Payload = Partial<RunCreate>;

/** A cron as stored. */
export interface CronRow {
  cron_id: string;
  assistant_id: string;
  thread_id: string | null;
  schedule: string;
  timezone: string | null;
  end_time: number | null;
  payload: string;
  metadata: string;
  on_run_completed: "delete" | "keep" | null;
  enabled: number;
  created_at: number;
  updated_at: number;
  next_run_at: number | null;
}

/** Returns the payload without the ID of the cron. This ID is added to the configuration when a cron is stored. */
export function withoutCronId({ config, ...payload }: Payload): Payload {
  const { cron_id: _, ...configurable } = config?.configurable ?? {};
  return { ...payload, config: { ...config, configurable } };
}

const iso = (time: number) => new Date(time).toISOString();

/** Returns a cron as clients see it. */
export function serializeCron({ next_run_at: next, ...row }: CronRow): Cron {
  return {
    ...row,
    end_time: row.end_time === null ? null : iso(row.end_time),
    payload: JSON.parse(row.payload) as Record<string, unknown>,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    enabled: row.enabled === 1,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    next_run_date: next === null ? null : iso(next),
    user_id: null,
  };
}
