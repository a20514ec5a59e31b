import { agentsPath } from "../../gateway/route";
import { pathMatches } from "../faults/pattern";

/** One request to the control plane, without confidential data. */
export interface JournalEntry {
  /** 1 for the first request. */
  sequence: number;
  /** ISO 8601. */
  time: string;
  method: string;
  /** Path as sent. */
  path: string;
  query: Record<string, string>;
  /** Status of the response; 0 if the connection was reset. */
  status: number;
  /** Parsed and masked body, or a note about a body that is not kept; absent if there was none. */
  body?: unknown;
  /**
   * Fields of the body that the control plane ignored as unknown; a long list is cut and ends with the number of the
   * others.
   */
  unknownFields: string[];
  /** Kind of the fault that was injected. */
  fault?: string;
}

/** Filter for reading the journal. */
export interface JournalFilter {
  /** Only requests that may change something: neither GET, HEAD nor OPTIONS. */
  writes?: boolean;
  method?: string;
  /** Path pattern such as `/v2/deployments/:id`; applies under each prefix. */
  path?: string;
  /** Only entries after this sequence number. */
  after?: number;
  /** Includes requests to the agent servers of deployments, without their bodies, which may be long or endless. */
  agents?: boolean;
}

/** Limits of the journal. */
export interface JournalBounds {
  entries: number;
  /** Total number of characters of all entries, as JSON. */
  characters: number;
}

function isToAgentServer(path: string): boolean {
  return path.startsWith(`${agentsPath}/`);
}

/** Entry as text, because parsed entries use many times as much memory, which cannot be measured. */
interface SerializedEntry extends Pick<JournalEntry, "sequence" | "method" | "path"> {
  text: string;
}

/** Latest requests, oldest first; older ones are dropped. */
export class Journal {
  #serialized: SerializedEntry[] = [];
  #characters = 0;
  #sequence = 0;

  constructor(private readonly bounds: JournalBounds = { entries: 10_000, characters: 16 * 1024 * 1024 }) {}

  add(entry: Omit<JournalEntry, "sequence">): void {
    this.#sequence += 1;
    const text = JSON.stringify({ sequence: this.#sequence, ...entry });
    this.#serialized.push({ sequence: this.#sequence, method: entry.method, path: entry.path, text });
    this.#characters += text.length;
    while (this.#serialized.length > this.bounds.entries || this.#characters > this.bounds.characters)
      this.#characters -= this.#serialized.shift()!.text.length;
  }

  read(filter: JournalFilter = {}): JournalEntry[] {
    return this.#serialized
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
    this.#serialized = [];
    this.#characters = 0;
    this.#sequence = 0;
  }
}
