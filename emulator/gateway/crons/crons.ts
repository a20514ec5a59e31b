import { randomUUID } from "node:crypto";
import { neverFires, nextTimes } from "../../../wire/cron-schedule";
import type { TimerDeps } from "../timers/deps";
import { Refusal } from "../request/refusal";
import { isFilled } from "../runs/creation";
import { CronRunner } from "./cron-runner";
import { type CronRow, type Payload, serializeCron, withoutCronId } from "./record";
import type { Cron } from "./schemas";

/** Values that a cron is created from. */
export interface NewCron {
  assistant_id: string;
  thread_id: string | null;
  schedule: string;
  timezone: string | null;
  end_time: number | null;
  payload: Payload;
  metadata: Record<string, unknown>;
  on_run_completed: "delete" | "keep" | null;
  enabled: boolean;
}

/** Filter for crons. */
export interface CronFilter {
  assistant_id?: string | undefined;
  thread_id?: string | undefined;
  enabled?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** The crons of a deployment. */
export class Crons {
  readonly #deps: TimerDeps;
  readonly #runner: CronRunner;

  constructor(deps: TimerDeps) {
    this.#deps = deps;
    this.#runner = new CronRunner(deps);
  }

  create(cron: NewCron): Cron {
    requireFiring(cron.schedule);
    const now = this.#deps.clock.now();
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
    return row && serializeCron(row);
  }

  /** Changes the specified fields. Merges `payload` and `metadata` with the existing values. */
  update(cronId: string, change: Partial<Omit<NewCron, "assistant_id" | "thread_id">>): Cron | undefined {
    this.#runner.recordDue();
    const row = this.#row(cronId);
    if (!row) return undefined;
    const { payload, metadata, enabled, ...rest } = change;
    requireFiring(rest.schedule ?? row.schedule);
    // A pending run must not start after its cron is disabled.
    if (enabled === false) this.#deps.database.run("DELETE FROM firings WHERE cron_id = ?", cronId);
    return this.#keep({
      ...row,
      ...rest,
      payload: JSON.stringify(changedPayload(JSON.parse(row.payload) as Payload, payload)),
      metadata: JSON.stringify({ ...(JSON.parse(row.metadata) as object), ...metadata }),
      enabled: enabled === undefined ? row.enabled : Number(enabled),
      updated_at: this.#deps.clock.now(),
    });
  }

  remove(cronId: string): boolean {
    const removed = this.#deps.database.run("DELETE FROM crons WHERE cron_id = ?", cronId) > 0;
    this.#runner.schedule();
    return removed;
  }

  /** Returns the crons in order of creation. */
  list({ assistant_id, thread_id, enabled, metadata = {} }: CronFilter): Cron[] {
    const all = this.#deps.database.all<CronRow>("SELECT * FROM crons ORDER BY created_at, rowid");
    return all
      .map(serializeCron)
      .filter(
        (cron) =>
          (assistant_id === undefined || cron.assistant_id === assistant_id) &&
          (thread_id === undefined || cron.thread_id === thread_id) &&
          (enabled === undefined || cron.enabled === enabled) &&
          contains(cron.metadata, metadata),
      );
  }

  /** Deletes the crons of a deleted thread. */
  forgetThread(threadId: string): void {
    this.#deps.database.run("DELETE FROM crons WHERE thread_id = ?", threadId);
    this.#runner.schedule();
  }

  /** Deletes the crons of a deleted assistant. */
  forgetAssistant(assistantId: string): void {
    this.#deps.database.run("DELETE FROM crons WHERE assistant_id = ?", assistantId);
    this.#runner.schedule();
  }

  close(): void {
    this.#runner.close();
  }

  #row(cronId: string): CronRow | undefined {
    return this.#deps.database.get<CronRow>("SELECT * FROM crons WHERE cron_id = ?", cronId);
  }

  #keep(row: CronRow): Cron {
    const { schedule, timezone, end_time: endTime } = row;
    const now = this.#deps.clock.now();
    const [next = null] = row.enabled ? nextTimes({ schedule, timezone, endTime }, now, 1) : [];
    const payload = withCronId(JSON.parse(row.payload) as Payload, row.cron_id);
    const kept = { ...row, payload: JSON.stringify(payload), next_run_at: next };
    const names = Object.keys(kept);
    this.#deps.database.run(
      `INSERT INTO crons (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})
       ON CONFLICT (cron_id) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`,
      ...Object.values(kept),
    );
    this.#runner.schedule();
    return serializeCron(kept);
  }
}

function requireFiring(schedule: string): void {
  if (neverFires(schedule))
    throw new Refusal(400, `The schedule "${schedule}" matches no time, so the cron would never run.`);
}

/**
 * Returns the payload with the changes. The context and `config.configurable` have the same values, so setting one of
 * them replaces the other.
 */
function changedPayload({ context, config, ...payload }: Payload, change: Payload = {}): Payload {
  const { configurable, ...rest } = config ?? {};
  return {
    ...payload,
    ...(context && !isFilled(withoutCronId(change).config?.configurable) && { context }),
    config: isFilled(change.context) ? rest : { ...rest, ...(configurable && { configurable }) },
    ...change,
  };
}

/**
 * True if the value contains everything in `wanted`. Compares values in the same way as the public server compares
 * metadata.
 */
function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((part) => value.some((one) => contains(one, part)));
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(value, name) && contains((value as Record<string, unknown>)[name], part),
  );
}

/** Returns the payload with the ID of the cron in its configuration, where graphs can read it. */
function withCronId({ config, ...payload }: Payload, cronId: string): Payload {
  return { ...payload, config: { ...config, configurable: { ...config?.configurable, cron_id: cronId } } };
}
