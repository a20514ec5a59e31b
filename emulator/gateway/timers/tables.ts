import type { Database } from "../../storage/database";

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
`;

/** Creates the missing tables of the gateway's own data of one deployment. */
export function prepareTables(database: Database): void {
  database.exec(schema);
}
