import { pathMatches } from "../faults/pattern";

/** One request to the control plane, as it can be shown to anybody. */
export interface JournalEntry {
  /** 1 for the first request. */
  sequence: number;
  /** ISO 8601. */
  time: string;
  method: string;
  /** Path as it was sent. */
  path: string;
  query: Record<string, string>;
  /** The answer's status; 0 where the connection was reset. */
  status: number;
  /** Parsed and masked; absent where there was none. */
  body?: unknown;
  /** Fields of the body that the control plane does not know and ignored. */
  unknownFields: string[];
  /** Kind of the fault that was made on it. */
  fault?: string;
}

/** What a reading of the journal is narrowed to. */
export interface JournalFilter {
  /** Only requests that may change something: neither GET, HEAD nor OPTIONS. */
  writes?: boolean;
  method?: string;
  /** Path pattern such as `/v2/deployments/:id`; holds under each prefix. */
  path?: string;
  /** Only entries behind this sequence number. */
  after?: number;
}

/** The latest requests, oldest first; older ones are forgotten. */
export class Journal {
  #entries: JournalEntry[] = [];
  #sequence = 0;

  /** @param capacity - Entries kept. */
  constructor(private readonly capacity = 10_000) {}

  add(entry: Omit<JournalEntry, "sequence">): void {
    this.#sequence += 1;
    this.#entries.push({ sequence: this.#sequence, ...entry });
    if (this.#entries.length > this.capacity) this.#entries.splice(0, this.#entries.length - this.capacity);
  }

  read(filter: JournalFilter = {}): JournalEntry[] {
    return this.#entries.filter(
      (entry) =>
        (!filter.writes || !["GET", "HEAD", "OPTIONS"].includes(entry.method)) &&
        (!filter.method || filter.method.toUpperCase() === entry.method) &&
        (!filter.path || pathMatches(filter.path, entry.path)) &&
        entry.sequence > (filter.after ?? 0),
    );
  }

  reset(): void {
    this.#entries = [];
    this.#sequence = 0;
  }
}
