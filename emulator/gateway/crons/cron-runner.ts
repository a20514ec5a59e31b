import { lastTime, nextTimes } from "../../../wire/cron-schedule";
import { cronDeliveryHeader } from "../../rollout/internal-api-headers";
import type { Agent } from "../timers/agent";
import { Timer } from "../timers/timer";
import type { TimerDeps } from "../timers/deps";
import { Refusal } from "../request/refusal";
import { runBody } from "../runs/creation";
import { type CronRow, type Payload, withoutCronId } from "./record";

const retryMs = 1000;
/** Maximum number of runs that are started concurrently. */
const maxConcurrentStarts = 50;
/** Maximum time for the agent to accept a run, in milliseconds. A request without a response is retried. */
const startTimeoutMs = 60_000;

type DueCron = CronRow & { firing_id: number; due_at: number };

/**
 * Starts the runs of crons. A due run is recorded together with the next due time of its cron, and the record is
 * removed when the agent has accepted the run. If runs of a cron were due while the control plane or the agent was
 * down, the cron therefore starts one run afterward. The agent accepts only one run per cron and due time, so a request
 * can be retried if its response was lost. Runs are started concurrently. If the agent cannot accept a run at the
 * moment, the run is retried later.
 */
export class CronRunner {
  readonly #timer: Timer;
  readonly #retry: Timer;
  /** Crons whose runs are being started or are waiting for a worker. */
  readonly #starting = new Set<string>();
  #closed = false;

  constructor(private readonly deps: TimerDeps) {
    this.#timer = new Timer(deps.clock, () => this.#fire());
    this.#retry = new Timer(deps.clock, () => this.#startDue());
    this.schedule();
    this.#startDue();
  }

  /** Sets the timer to the next due time of a cron. */
  schedule(): void {
    if (this.#closed) return;
    const next = "SELECT min(next_run_at) AS at FROM crons";
    this.#timer.set(this.deps.database.get<{ at: number | null }>(next)?.at ?? undefined);
  }

  /** Records the crons that are due, so that a change to a cron does not skip its due run. */
  recordDue(): void {
    this.#recordDue(this.deps.clock.now());
    this.#startDue();
  }

  close(): void {
    this.#closed = true;
    this.#timer.set(undefined);
    this.#retry.set(undefined);
  }

  #fire(): void {
    const { clock, reportError } = this.deps;
    try {
      this.#recordDue(clock.now());
      this.schedule();
    } catch (error) {
      reportError(error);
      this.#timer.set(clock.now() + retryMs);
    }
    this.#startDue();
  }

  #recordDue(now: number): void {
    const { database } = this.deps;
    database.transaction(() => {
      for (const cron of database.all<CronRow>("SELECT * FROM crons WHERE next_run_at <= ?", now)) {
        const { cron_id: id, schedule, timezone, end_time: endTime, next_run_at: due } = cron;
        const timing = { schedule, timezone, endTime };
        // Earlier times are skipped, whether they are pending or were due while the control plane was down.
        database.run("DELETE FROM firings WHERE cron_id = ?", id);
        const last = lastTime(timing, due!, now) ?? due;
        database.run("INSERT INTO firings (cron_id, due_at) VALUES (?, ?)", id, last);
        const [next = null] = nextTimes(timing, now, 1);
        database.run("UPDATE crons SET next_run_at = ? WHERE cron_id = ?", next, id);
      }
    });
  }

  /** Starts the runs of all due crons, except for those that are already being started. */
  #startDue(): void {
    if (this.#closed) return;
    let waiting: string[] = [];
    try {
      const due = this.deps.database.all<{ cron_id: string }>(
        "SELECT cron_id FROM firings ORDER BY firing_id",
      );
      waiting = due.map(({ cron_id: id }) => id).filter((id) => !this.#starting.has(id));
    } catch (error) {
      this.#tryAgain(error);
    }
    for (const id of waiting) this.#starting.add(id);
    const next = waiting.values();
    for (let worker = 0; worker < Math.min(maxConcurrentStarts, waiting.length); worker++)
      void this.#startEach(next);
  }

  async #startEach(cronIds: Iterable<string>): Promise<void> {
    for (const id of cronIds) {
      try {
        if (!(await this.#startRunsOf(id))) this.#tryAgain();
      } catch (error) {
        this.#tryAgain(error);
      } finally {
        this.#starting.delete(id);
      }
    }
  }

  #tryAgain(error?: unknown): void {
    if (this.#closed) return;
    if (error !== undefined) this.deps.reportError(error);
    this.#retry.set(this.deps.clock.now() + retryMs);
  }

  /** Starts runs of a cron until none is due. Resolves with false if the agent cannot accept a run at the moment. */
  async #startRunsOf(id: string): Promise<boolean> {
    const { database } = this.deps;
    const query =
      "SELECT crons.*, firing_id, due_at FROM firings JOIN crons USING (cron_id) WHERE cron_id = ?";
    for (;;) {
      const due = this.#closed ? undefined : database.get<DueCron>(query, id);
      if (!due) return true;
      if (!(await this.#isAccepted(due))) return this.#closed;
      if (this.#closed) return true;
      // In the meantime, the cron may have become due again, even with the same `firing_id`.
      database.run("DELETE FROM firings WHERE firing_id = ? AND due_at = ?", due.firing_id, due.due_at);
    }
  }

  /** Resolves with true if the agent has accepted the run or will never accept it. */
  async #isAccepted(due: DueCron): Promise<boolean> {
    const agent = this.deps.agent();
    if (!agent) return false;
    try {
      await start(due, agent);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) return false;
      this.deps.reportError(new Error(`Cron ${due.cron_id} cannot run: ${error.detail}`));
    }
    return true;
  }
}

async function start(cron: DueCron, { client, internalApi }: Agent): Promise<void> {
  const { cron_id, due_at } = cron;
  const run = {
    // Servers reject a request that contains both a configuration and a context.
    ...runBody(withoutCronId(JSON.parse(cron.payload) as Payload), internalApi),
    assistant_id: cron.assistant_id,
    metadata: {
      ...(JSON.parse(cron.metadata) as object),
      cron_id,
      cron_due_at: new Date(due_at).toISOString(),
    },
  };
  const [path, body] =
    cron.thread_id === null
      ? ["/runs", { ...run, on_completion: cron.on_run_completed ?? "delete" }]
      : [`/threads/${cron.thread_id}/runs`, run];
  const request = client.with({ [cronDeliveryHeader]: `${cron_id} ${due_at}` }).within(startTimeoutMs);
  (await request.send("POST", path, body)).resume();
}
