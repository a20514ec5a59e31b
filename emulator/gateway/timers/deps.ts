import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";
import type { FindAgent } from "./agent";

/** Dependencies of a book. */
export interface BookParts {
  database: Database;
  clock: Clock;
  agent: FindAgent;
  complain: (error: unknown) => void;
}
