import { agentsPath } from "../../gateway/route";
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
  /** Parsed and masked, or a note about one that is not kept; absent where there was none. */
  body?: unknown;
  /** Fields of the body that the control plane does not know and ignored; of many only some, and how many more. */
  unknownFields: string[];
  /** Kind of the fault that was made on it. */
  fault?: string;
}

/** Filter for reading the journal. */
export interface JournalFilter {
  /** Only requests that may change something: neither GET, HEAD nor OPTIONS. */
  writes?: boolean;
  method?: string;
  /** Path pattern such as `/v2/deployments/:id`; holds under each prefix. */
  path?: string;
  /** Only entries behind this sequence number. */
  after?: number;
  /** Requests to the agent servers of deployments too: without their bodies, which may be long or never end. */
  agents?: boolean;
}

/** Bounds of what the journal keeps. */
export interface JournalBounds {
  entries: number;
  /** Characters of all entries together, as JSON. */
  characters: number;
}

function isToAgentServer(path: string): boolean {
  return path.startsWith(`${agentsPath}/`);
}

/** Kept as text: parsed entries would take many times as much memory, and how much nobody could tell. */
interface Kept extends Pick<JournalEntry, "sequence" | "method" | "path"> {
  text: string;
}

/** The latest requests, oldest first; older ones are forgotten. */
export class Journal {
  #kept: Kept[] = [];
  #characters = 0;
  #sequence = 0;

  constructor(private readonly bounds: JournalBounds = { entries: 10_000, characters: 16 * 1024 * 1024 }) {}

  add(entry: Omit<JournalEntry, "sequence">): void {
    this.#sequence += 1;
    const text = JSON.stringify({ sequence: this.#sequence, ...entry });
    this.#kept.push({ sequence: this.#sequence, method: entry.method, path: entry.path, text });
    this.#characters += text.length;
    while (this.#kept.length > this.bounds.entries || this.#characters > this.bounds.characters)
      this.#characters -= this.#kept.shift()!.text.length;
  }

  read(filter: JournalFilter = {}): JournalEntry[] {
    return this.#kept
      .filter(
        (entry) =>
          (filter.agents || !isToAgentServer(entry.path)) &&
          (!filter.writes || !["GET", "HEAD", "OPTIONS"].includes(entry.method)) &&
          (!filter.method || filter.method.toUpperCase() === entry.method) &&
          (!filter.path || pathMatches(filter.path, entry.path)) &&
          entry.sequence > (filter.after ?? 0),
      )
      .map(({ text }) => JSON.parse(text) as JournalEntry);
  }

  reset(): void {
    this.#kept = [];
    this.#characters = 0;
    this.#sequence = 0;
  }
}
