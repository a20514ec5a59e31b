import { Database } from "../../storage/database";
import { Crons } from "../crons/crons";
import { ItemTtls } from "../store/ttl";
import { ThreadTtls } from "../threads/ttl";
import type { TimerDeps } from "./deps";

/** Data that the gateway itself stores for a deployment: crons, and the expiry times of threads and store items. */
export class DeploymentTimers {
  readonly crons: Crons;
  readonly itemTtls: ItemTtls;
  readonly threadTtls: ThreadTtls;
  readonly #database: Database;

  constructor(file: string, deps: Omit<TimerDeps, "database">) {
    this.#database = new Database(file, prepareTables);
    const all = { ...deps, database: this.#database };
    try {
      this.crons = new Crons(all);
      this.itemTtls = new ItemTtls(all);
      this.threadTtls = new ThreadTtls(all);
    } catch (error) {
      this.#database.close();
      throw error;
    }
  }

  /** Throws if the database cannot be read. */
  check(): void {
    this.#database.get("SELECT 1");
  }

  close(): void {
    this.crons.close();
    this.itemTtls.close();
    this.threadTtls.close();
    this.#database.close();
  }
}

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

/** Creates missing tables for a deployment's data in the gateway. */
function prepareTables(database: Database): void {
  database.exec(schema);
}
