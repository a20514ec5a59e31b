import type { BookParts } from "../book/book";
import { Expiry } from "../book/expiry";
import type { Runtime } from "../call/runtime";

const minuteMs = 60_000;

interface Row {
  namespace: string;
  key: string;
  expires_at: number;
}

/** When store items expire. The runtime keeps them for ever, so they are deleted there when their time has come. */
export class ItemTtls {
  readonly #parts: BookParts;
  readonly #expiry: Expiry;

  constructor(parts: BookParts) {
    this.#parts = parts;
    const next = "SELECT min(expires_at) AS at FROM item_ttls";
    this.#expiry = new Expiry(
      parts,
      () => parts.database.get<{ at: number | null }>(next)?.at ?? undefined,
      ({ runtime }) => this.sweep(runtime),
    );
  }

  /** Gives an item so many minutes from now on; undefined = for ever. */
  set(namespace: string[], key: string, minutes: number | undefined): void {
    const { database, clock } = this.#parts;
    const place = [JSON.stringify(namespace), key] as const;
    if (minutes === undefined) {
      if (database.run("DELETE FROM item_ttls WHERE namespace = ? AND key = ?", ...place) === 0) return;
    } else {
      const expiresAt = Math.ceil(clock.now() + minutes * minuteMs);
      database.run("INSERT OR REPLACE INTO item_ttls VALUES (?, ?, ?, ?)", ...place, minutes, expiresAt);
    }
    this.#expiry.schedule();
  }

  /** Somebody has read the item: its time begins anew. */
  refresh(namespace: string[], key: string): void {
    const { database, clock } = this.#parts;
    const renewed = "UPDATE item_ttls SET expires_at = ceil(? + minutes * ?) WHERE namespace = ? AND key = ?";
    const place = [JSON.stringify(namespace), key];
    if (database.run(renewed, clock.now(), minuteMs, ...place) > 0) this.#expiry.schedule();
  }

  /** Deletes what has expired. */
  async sweep(runtime: Runtime): Promise<void> {
    const { database, clock } = this.#parts;
    const due = database.all<Row>("SELECT * FROM item_ttls WHERE expires_at <= ?", clock.now());
    for (const { namespace, key, expires_at: expiresAt } of due) {
      const body = { namespace: JSON.parse(namespace) as string[], key };
      (await runtime.send("DELETE", "/store/items", body)).resume();
      const gone = "DELETE FROM item_ttls WHERE namespace = ? AND key = ? AND expires_at = ?";
      database.run(gone, namespace, key, expiresAt);
    }
  }

  close(): void {
    this.#expiry.close();
  }
}
