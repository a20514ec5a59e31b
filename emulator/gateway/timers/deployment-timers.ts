import { Database } from "../../storage/database";
import { Crons } from "../crons/crons";
import { ItemTtls } from "../store/ttl";
import { ThreadTtls } from "../threads/ttl";
import type { TimerDeps } from "./deps";
import { prepareTables } from "./tables";

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
