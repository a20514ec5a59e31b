import type { Agent } from "../book/agent";
import { Alarm } from "../book/alarm";
import type { BookParts } from "../book/book";
import { Refusal } from "../call/refusal";
import type { CronRow } from "./record";
import { nextRun } from "./schedule";

const retryMs = 1000;

type DueFiring = CronRow & { firing_id: number };

/**
 * Makes crons run. A firing is written down together with the next time of its cron, and crossed out when the agent has
 * taken the run: what was due while the control plane or the agent was down is made up for, once.
 */
export class Firing {
  readonly #alarm: Alarm;
  readonly #retry: Alarm;
  #delivering: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly parts: BookParts) {
    this.#alarm = new Alarm(parts.clock, () => this.#ring());
    this.#retry = new Alarm(parts.clock, () => this.#deliver());
    this.schedule();
    if (this.#due()) this.#deliver();
  }

  /** Sets the alarm to the next time that a cron runs. */
  schedule(): void {
    if (this.#closed) return;
    const next = "SELECT min(next_run_at) AS at FROM crons";
    this.#alarm.set(this.parts.database.get<{ at: number | null }>(next)?.at ?? undefined);
  }

  close(): void {
    this.#closed = true;
    this.#alarm.set(undefined);
    this.#retry.set(undefined);
  }

  #ring(): void {
    const { database, clock } = this.parts;
    const now = clock.now();
    database.transaction(() => {
      for (const cron of database.all<CronRow>("SELECT * FROM crons WHERE next_run_at <= ?", now)) {
        const { cron_id: id, schedule, timezone, end_time: endTime, next_run_at: due } = cron;
        database.run("INSERT INTO firings (cron_id, due_at) VALUES (?, ?)", id, due);
        const next = nextRun({ schedule, timezone, endTime }, now);
        database.run("UPDATE crons SET next_run_at = ? WHERE cron_id = ?", next, id);
      }
    });
    this.schedule();
    this.#deliver();
  }

  #due(): DueFiring | undefined {
    return this.parts.database.get<DueFiring>(
      "SELECT crons.*, firing_id FROM firings JOIN crons USING (cron_id) ORDER BY firing_id LIMIT 1",
    );
  }

  #deliver(): void {
    this.#delivering ??= this.#deliverAll().finally(() => (this.#delivering = undefined));
  }

  async #deliverAll(): Promise<void> {
    for (let due = this.#due(); due && !this.#closed; due = this.#closed ? undefined : this.#due()) {
      const agent = this.parts.agent();
      try {
        if (!agent) throw new Refusal(503, "No agent serves now.");
        await start(due, agent);
      } catch (error) {
        if (!(error instanceof Refusal) || error.status >= 500) return this.#later();
        this.parts.complain(new Error(`Cron ${due.cron_id} cannot run: ${error.detail}`));
      }
      if (!this.#closed) this.parts.database.run("DELETE FROM firings WHERE firing_id = ?", due.firing_id);
    }
  }

  #later(): void {
    if (!this.#closed) this.#retry.set(this.parts.clock.now() + retryMs);
  }
}

async function start(cron: CronRow, { runtime }: Agent): Promise<void> {
  const payload = JSON.parse(cron.payload) as Record<string, unknown>;
  const metadata = { ...(JSON.parse(cron.metadata) as object), cron_id: cron.cron_id };
  const run = { ...payload, assistant_id: cron.assistant_id, metadata };
  const [path, body] =
    cron.thread_id === null
      ? ["/runs", { ...run, on_completion: cron.on_run_completed ?? "delete" }]
      : [`/threads/${cron.thread_id}/runs`, run];
  (await runtime.send("POST", path, body)).resume();
}
