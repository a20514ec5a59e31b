import { nextTimes } from "../../../wire/cron-schedule";
import type { Agent } from "../book/agent";
import { Alarm } from "../book/alarm";
import type { BookParts } from "../book/parts";
import { Refusal } from "../call/refusal";
import type { CronRow } from "./record";

const retryMs = 1000;

type DueFiring = CronRow & { firing_id: number; due_at: number };

/**
 * Makes crons run. A firing is written down together with the next time of its cron, and crossed out when the agent has
 * taken the run: what was due while the control plane or the agent was down is made up for, once for each cron. A cron
 * whose run the agent cannot take now is tried again later, and holds up no other.
 */
export class Firing {
  readonly #alarm: Alarm;
  readonly #retry: Alarm;
  /** Firings whose runs the agent has taken, but which could not be crossed out. */
  readonly #taken = new Set<string>();
  #isDelivering = false;
  #closed = false;

  constructor(private readonly parts: BookParts) {
    this.#alarm = new Alarm(parts.clock, () => this.#ring());
    this.#retry = new Alarm(parts.clock, () => this.#deliver());
    this.schedule();
    if (this.#first()) this.#deliver();
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
    const { clock, complain } = this.parts;
    try {
      this.#note(clock.now());
      this.schedule();
    } catch (error) {
      complain(error);
      this.#alarm.set(clock.now() + retryMs);
    }
    this.#deliver();
  }

  /** Writes down what is due. */
  #note(now: number): void {
    const { database } = this.parts;
    database.transaction(() => {
      for (const cron of database.all<CronRow>("SELECT * FROM crons WHERE next_run_at <= ?", now)) {
        const { cron_id: id, schedule, timezone, end_time: endTime, next_run_at: due } = cron;
        // This one stands for the one before too, if that still waits.
        database.run("DELETE FROM firings WHERE cron_id = ?", id);
        database.run("INSERT INTO firings (cron_id, due_at) VALUES (?, ?)", id, due);
        const [next = null] = nextTimes({ schedule, timezone, endTime }, now, 1);
        database.run("UPDATE crons SET next_run_at = ? WHERE cron_id = ?", next, id);
      }
    });
  }

  /** The oldest firing, but for these crons. */
  #first(but?: Set<string>): DueFiring | undefined {
    const firings =
      "SELECT crons.*, firing_id, due_at FROM firings JOIN crons USING (cron_id) ORDER BY firing_id";
    return this.parts.database.all<DueFiring>(firings).find(({ cron_id: id }) => !but?.has(id));
  }

  #deliver(): void {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    void this.#deliverAll()
      .catch((error: unknown) => this.parts.complain(error))
      .finally(() => (this.#isDelivering = false));
  }

  async #deliverAll(): Promise<void> {
    const refused = new Set<string>();
    for (let due = this.#first(); due; due = this.#first(refused)) {
      const taken = this.#taken.has(nameOf(due)) || (await this.#isTaken(due));
      if (this.#closed) return;
      if (!taken || !this.#crossedOut(due)) refused.add(due.cron_id);
    }
    if (refused.size > 0) this.#retry.set(this.parts.clock.now() + retryMs);
  }

  /** Whether a firing whose run was taken could be crossed out; otherwise it is remembered, so that it runs once. */
  #crossedOut(due: DueFiring): boolean {
    // Another firing of this cron may have taken the place, even the number, of this one meanwhile.
    const done = "DELETE FROM firings WHERE firing_id = ? AND due_at = ?";
    try {
      this.parts.database.run(done, due.firing_id, due.due_at);
      this.#taken.delete(nameOf(due));
      return true;
    } catch (error) {
      this.#taken.add(nameOf(due));
      this.parts.complain(error);
      return false;
    }
  }

  /** Whether the agent has taken the run or never will. */
  async #isTaken(due: DueFiring): Promise<boolean> {
    const agent = this.parts.agent();
    if (!agent) return false;
    try {
      await start(due, agent);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) return false;
      this.parts.complain(new Error(`Cron ${due.cron_id} cannot run: ${error.detail}`));
    }
    return true;
  }
}

function nameOf({ firing_id: id, due_at: at }: DueFiring): string {
  return `${id} ${at}`;
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
