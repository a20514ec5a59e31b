import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

const schema = `
  CREATE TABLE IF NOT EXISTS crons (
    cron_id TEXT PRIMARY KEY, assistant_id TEXT NOT NULL, thread_id TEXT, schedule TEXT NOT NULL, timezone TEXT,
    end_time INTEGER, payload TEXT NOT NULL, metadata TEXT NOT NULL, on_run_completed TEXT, enabled INTEGER NOT NULL,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, next_run_at INTEGER
  ) STRICT;
  CREATE TABLE IF NOT EXISTS firings (
    firing_id INTEGER PRIMARY KEY, cron_id TEXT NOT NULL REFERENCES crons ON DELETE CASCADE, due_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS item_ttls (
    namespace TEXT NOT NULL, key TEXT NOT NULL, minutes REAL NOT NULL, expires_at INTEGER NOT NULL,
    PRIMARY KEY (namespace, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS thread_ttls (
    thread_id TEXT PRIMARY KEY, strategy TEXT NOT NULL, minutes REAL NOT NULL, expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS tasks (run_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL) STRICT;
`;

/** The gateway's own data of one deployment. */
export class BookDatabase {
  readonly #connection: DatabaseSync;

  constructor(file: string) {
    // SQLite gives its side files the mode of the main one.
    closeSync(openSync(file, "a", 0o600));
    this.#connection = new DatabaseSync(file);
    this.#connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
    this.#connection.exec(schema);
  }

  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#connection.prepare(sql).run(...values).changes);
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#connection.prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#connection.prepare(sql).all(...values) as Row[];
  }

  /** Runs `work` whole or not at all. */
  transaction<Result>(work: () => Result): Result {
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }
}
