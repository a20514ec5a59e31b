import type { Agent } from "../timers/agent";
import type { TimerDeps } from "../timers/deps";
import { Expiry } from "../timers/expiry";
import { SerialQueue } from "../../serial-queue";

const minuteMs = 60_000;

type Strategy = "delete" | "keep_latest";

interface Row {
  thread_id: string;
  strategy: Strategy;
  minutes: number;
  expires_at: number;
}

/** Time to live of a thread, as reported to clients. */
export interface ShownTtl {
  strategy: Strategy;
  ttl_minutes: number;
  expires_at: string;
}

/** Expiry times of threads. An expired thread is deleted, or loses all of its checkpoints except the latest. */
export class ThreadTtls {
  readonly #deps: TimerDeps;
  readonly #expiry: Expiry;
  readonly #writers = new SerialQueue();

  constructor(deps: TimerDeps) {
    this.#deps = deps;
    const next = "SELECT min(expires_at) AS at FROM thread_ttls";
    this.#expiry = new Expiry(
      deps,
      () => deps.database.get<{ at: number | null }>(next)?.at ?? undefined,
      (agent) => this.#sweep(agent),
    );
  }

  /**
   * Runs `write`, which changes a thread and its expiry time. Other changes to the thread wait, so it cannot expire in
   * the meantime.
   */
  writing<Result>(threadId: string, write: () => Promise<Result>): Promise<Result> {
    return this.#writers.run(threadId, write);
  }

  set(threadId: string, strategy: Strategy, minutes: number): void {
    const { database, clock } = this.#deps;
    const expiresAt = Math.ceil(clock.now() + minutes * minuteMs);
    database.run(
      "INSERT OR REPLACE INTO thread_ttls VALUES (?, ?, ?, ?)",
      threadId,
      strategy,
      minutes,
      expiresAt,
    );
    this.#expiry.schedule();
  }

  of(threadId: string): ShownTtl | undefined {
    const row = this.#deps.database.get<Row>("SELECT * FROM thread_ttls WHERE thread_id = ?", threadId);
    if (!row) return undefined;
    const { strategy, minutes, expires_at: expiresAt } = row;
    return { strategy, ttl_minutes: minutes, expires_at: new Date(expiresAt).toISOString() };
  }

  forget(threadId: string): void {
    this.#deps.database.run("DELETE FROM thread_ttls WHERE thread_id = ?", threadId);
  }

  close(): void {
    this.#expiry.close();
  }

  async #sweep(agent: Agent): Promise<void> {
    const { database, clock } = this.#deps;
    const due = database.all<Row>("SELECT * FROM thread_ttls WHERE expires_at <= ?", clock.now());
    for (const { thread_id: threadId } of due)
      await this.writing(threadId, () => this.#expire(threadId, agent));
  }

  async #expire(threadId: string, { client, internalApi }: Agent): Promise<void> {
    const { database, clock } = this.#deps;
    const isDue = "SELECT * FROM thread_ttls WHERE thread_id = ? AND expires_at <= ?";
    const row = database.get<Row>(isDue, threadId, clock.now());
    if (!row) return;
    const { statusCode } = (await client.raw("GET", `/threads/${threadId}`)).resume();
    if (statusCode === 200 && row.strategy === "keep_latest") await internalApi.keepLatest(threadId);
    else if (statusCode === 200) (await client.send("DELETE", `/threads/${threadId}`)).resume();
    this.forget(threadId);
  }
}
