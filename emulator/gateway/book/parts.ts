import type { Clock } from "../../clock";
import type { FindAgent } from "./agent";
import type { BookDatabase } from "./database";

/** What a book works with. */
export interface BookParts {
  database: BookDatabase;
  clock: Clock;
  agent: FindAgent;
  complain: (error: unknown) => void;
}
