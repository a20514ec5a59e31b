import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";
import type { FindAgent } from "./agent";

/** Dependencies of the timers of one deployment. */
export interface TimerDeps {
  database: Database;
  clock: Clock;
  agent: FindAgent;
  reportError: (error: unknown) => void;
}
