import type { Agent } from "../book/agent";
import type { BookParts } from "../book/book";
import { Expiry } from "../book/expiry";

const minuteMs = 60_000;

type Strategy = "delete" | "keep_latest";

interface Row {
  thread_id: string;
  strategy: Strategy;
  minutes: number;
  expires_at: number;
}

/** What a thread shows of its time to live. */
export interface ShownTtl {
  strategy: Strategy;
  ttl_minutes: number;
  expires_at: string;
}

/** When threads expire: they are deleted then, or lose all checkpoints but the latest. */
export class ThreadTtls {
  readonly #parts: BookParts;
  readonly #expiry: Expiry;

  constructor(parts: BookParts) {
    this.#parts = parts;
    const next = "SELECT min(expires_at) AS at FROM thread_ttls";
    this.#expiry = new Expiry(
      parts,
      () => parts.database.get<{ at: number | null }>(next)?.at ?? undefined,
      (agent) => this.#sweep(agent),
    );
  }

  set(threadId: string, strategy: Strategy, minutes: number): void {
    const { database, clock } = this.#parts;
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
    const row = this.#parts.database.get<Row>("SELECT * FROM thread_ttls WHERE thread_id = ?", threadId);
    if (!row) return undefined;
    const { strategy, minutes, expires_at: expiresAt } = row;
    return { strategy, ttl_minutes: minutes, expires_at: new Date(expiresAt).toISOString() };
  }

  forget(threadId: string): void {
    this.#parts.database.run("DELETE FROM thread_ttls WHERE thread_id = ?", threadId);
  }

  close(): void {
    this.#expiry.close();
  }

  async #sweep({ runtime, backstage }: Agent): Promise<void> {
    const { database, clock } = this.#parts;
    const due = database.all<Row>("SELECT * FROM thread_ttls WHERE expires_at <= ?", clock.now());
    for (const { thread_id: threadId, strategy } of due) {
      const { statusCode } = (await runtime.raw("GET", `/threads/${threadId}`)).resume();
      if (statusCode === 200 && strategy === "keep_latest") await backstage.keepLatest(threadId);
      else if (statusCode === 200) (await runtime.send("DELETE", `/threads/${threadId}`)).resume();
      this.forget(threadId);
    }
  }
}
