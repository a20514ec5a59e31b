import type { TimerDeps } from "../timers/deps";
import { Expiry } from "../timers/expiry";
import { SerialQueue } from "../../serial-queue";
import type { AgentClient } from "../request/agent-client";

const minuteMs = 60_000;

interface Row {
  namespace: string;
  key: string;
}

/** Expiry times of store items. The runtime keeps items permanently, so the gateway deletes expired items. */
export class ItemTtls {
  readonly #deps: TimerDeps;
  readonly #expiry: Expiry;
  readonly #writers = new SerialQueue();
  readonly #sweeps = new SerialQueue();

  constructor(deps: TimerDeps) {
    this.#deps = deps;
    const next = "SELECT min(expires_at) AS at FROM item_ttls";
    this.#expiry = new Expiry(
      deps,
      () => deps.database.get<{ at: number | null }>(next)?.at ?? undefined,
      ({ client }) => this.sweep(client),
    );
  }

  /**
   * Runs `write`, which changes or deletes an item and its expiry time. Other changes to the item wait, so it cannot
   * expire in the meantime.
   */
  writing<Result>(namespace: string[], key: string, write: () => Promise<Result>): Promise<Result> {
    return this.#writers.run(JSON.stringify([namespace, key]), write);
  }

  /** Sets the remaining lifetime of an item in minutes; `undefined` means that the item does not expire. */
  set(namespace: string[], key: string, minutes: number | undefined): void {
    const { database, clock } = this.#deps;
    const place = [JSON.stringify(namespace), key] as const;
    if (minutes === undefined) {
      if (database.run("DELETE FROM item_ttls WHERE namespace = ? AND key = ?", ...place) === 0) return;
    } else {
      const expiresAt = Math.ceil(clock.now() + minutes * minuteMs);
      database.run("INSERT OR REPLACE INTO item_ttls VALUES (?, ?, ?, ?)", ...place, minutes, expiresAt);
    }
    this.#expiry.schedule();
  }

  /** Restarts the lifetime of an item that was read, unless it has expired. */
  refresh(namespace: string[], key: string): void {
    const { database, clock } = this.#deps;
    const renewed = `UPDATE item_ttls SET expires_at = ceil(?1 + minutes * ?2)
      WHERE namespace = ?3 AND key = ?4 AND expires_at > ?1`;
    const place = [JSON.stringify(namespace), key];
    if (database.run(renewed, clock.now(), minuteMs, ...place) > 0) this.#expiry.schedule();
  }

  /** Deletes expired items. Resolves when all of them have been deleted. */
  async sweep(client: AgentClient): Promise<void> {
    if (this.#due().length > 0) await this.#sweeps.run("all", () => this.#sweepAll(client));
  }

  async #sweepAll(client: AgentClient): Promise<void> {
    for (const { namespace, key } of this.#due()) {
      const body = { namespace: JSON.parse(namespace) as string[], key };
      await this.writing(body.namespace, key, async () => {
        if (!this.#isDue(namespace, key)) return;
        (await client.send("DELETE", "/store/items", body)).resume();
        const gone = "DELETE FROM item_ttls WHERE namespace = ? AND key = ?";
        this.#deps.database.run(gone, namespace, key);
      });
    }
  }

  #due(): Row[] {
    const { database, clock } = this.#deps;
    return database.all<Row>("SELECT namespace, key FROM item_ttls WHERE expires_at <= ?", clock.now());
  }

  #isDue(namespace: string, key: string): boolean {
    const { database, clock } = this.#deps;
    const due = "SELECT 1 FROM item_ttls WHERE namespace = ? AND key = ? AND expires_at <= ?";
    return database.get(due, namespace, key, clock.now()) !== undefined;
  }

  close(): void {
    this.#expiry.close();
  }
}
