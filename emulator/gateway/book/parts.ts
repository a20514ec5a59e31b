import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";
import type { FindAgent } from "./agent";

/** What a book works with. */
export interface BookParts {
  database: Database;
  clock: Clock;
  agent: FindAgent;
  complain: (error: unknown) => void;
}
