import { randomUUID } from "node:crypto";
import { nextTimes } from "../../../wire/cron-schedule";
import type { BookParts } from "../book/parts";
import { Firing } from "./firing";
import { type CronRow, shownCron } from "./record";
import type { Cron } from "./schemas";

/** What a cron is created from. */
export interface NewCron {
  assistant_id: string;
  thread_id: string | null;
  schedule: string;
  timezone: string | null;
  end_time: number | null;
  payload: object;
  metadata: Record<string, unknown>;
  on_run_completed: "delete" | "keep" | null;
  enabled: boolean;
}

/** Which crons are meant. */
export interface CronFilter {
  assistant_id?: string | undefined;
  thread_id?: string | undefined;
  enabled?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** The crons of a deployment. */
export class Crons {
  readonly #parts: BookParts;
  readonly #firing: Firing;

  constructor(parts: BookParts) {
    this.#parts = parts;
    this.#firing = new Firing(parts);
  }

  create(cron: NewCron): Cron {
    const now = this.#parts.clock.now();
    const row: CronRow = {
      cron_id: randomUUID(),
      ...cron,
      payload: JSON.stringify(cron.payload),
      metadata: JSON.stringify(cron.metadata),
      enabled: Number(cron.enabled),
      created_at: now,
      updated_at: now,
      next_run_at: null,
    };
    return this.#keep(row);
  }

  find(cronId: string): Cron | undefined {
    const row = this.#row(cronId);
    return row && shownCron(row);
  }

  /** Changes what is given; `payload` and `metadata` are merged. */
  update(cronId: string, change: Partial<Omit<NewCron, "assistant_id" | "thread_id">>): Cron | undefined {
    const row = this.#row(cronId);
    if (!row) return undefined;
    const { payload, metadata, enabled, ...rest } = change;
    return this.#keep({
      ...row,
      ...rest,
      payload: JSON.stringify({ ...(JSON.parse(row.payload) as object), ...payload }),
      metadata: JSON.stringify({ ...(JSON.parse(row.metadata) as object), ...metadata }),
      enabled: enabled === undefined ? row.enabled : Number(enabled),
      updated_at: this.#parts.clock.now(),
    });
  }

  remove(cronId: string): boolean {
    const removed = this.#parts.database.run("DELETE FROM crons WHERE cron_id = ?", cronId) > 0;
    this.#firing.schedule();
    return removed;
  }

  /** In the order of their making. */
  list({ assistant_id, thread_id, enabled, metadata = {} }: CronFilter): Cron[] {
    const all = this.#parts.database.all<CronRow>("SELECT * FROM crons ORDER BY created_at, rowid");
    return all
      .map(shownCron)
      .filter(
        (cron) =>
          (assistant_id === undefined || cron.assistant_id === assistant_id) &&
          (thread_id === undefined || cron.thread_id === thread_id) &&
          (enabled === undefined || cron.enabled === enabled) &&
          Object.entries(metadata).every(
            ([name, value]) => JSON.stringify(cron.metadata[name]) === JSON.stringify(value),
          ),
      );
  }

  /** A thread is gone, and its crons with it. */
  forgetThread(threadId: string): void {
    this.#parts.database.run("DELETE FROM crons WHERE thread_id = ?", threadId);
    this.#firing.schedule();
  }

  /** An assistant is gone, and its crons with it. */
  forgetAssistant(assistantId: string): void {
    this.#parts.database.run("DELETE FROM crons WHERE assistant_id = ?", assistantId);
    this.#firing.schedule();
  }

  close(): void {
    this.#firing.close();
  }

  #row(cronId: string): CronRow | undefined {
    return this.#parts.database.get<CronRow>("SELECT * FROM crons WHERE cron_id = ?", cronId);
  }

  #keep(row: CronRow): Cron {
    const { schedule, timezone, end_time: endTime } = row;
    const now = this.#parts.clock.now();
    const [next = null] = row.enabled ? nextTimes({ schedule, timezone, endTime }, now, 1) : [];
    const kept = { ...row, next_run_at: next };
    const names = Object.keys(kept);
    this.#parts.database.run(
      `INSERT INTO crons (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
       ON CONFLICT (cron_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
      ...Object.values(kept),
    );
    this.#firing.schedule();
    return shownCron(kept);
  }
}
