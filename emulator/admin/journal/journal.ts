import { agentsPath } from "../../gateway/route";
import { pathMatches } from "../faults/pattern";

/** One request to the control plane, without confidential data. */
export interface JournalEntry {
  /** Sequence number of the request, starting at 1. */
  sequence: number;
  /** Time of the request in ISO 8601 format. */
  time: string;
  method: string;
  /** Path of the request as sent by the client. */
  path: string;
  query: Record<string, string>;
  /** Status of the response; 0 if the connection was reset. */
  status: number;
  /** Parsed and masked body, or a note about a body that is not recorded. Absent if the request had no body. */
  body?: unknown;
  /**
   * Fields of the body that the control plane ignored because they are unknown. A long list is truncated and ends with
   * the number of omitted fields.
   */
  unknownFields: string[];
  /** Kind of fault that was injected into the request. */
  fault?: string;
}

/** Filter for reading the journal. */
export interface JournalFilter {
  /** True to include only requests that may change something: any method except GET, HEAD, and OPTIONS. */
  writes?: boolean;
  method?: string;
  /** Path pattern, such as `/v2/deployments/:id`. Also matches the path under `/api-host`. */
  path?: string;
  /** Includes only entries after this sequence number. */
  after?: number;
  /**
   * True to include requests to the agent servers of deployments. Their bodies are not recorded, because they may be
   * long or endless.
   */
  agents?: boolean;
}

/** Limits of the journal. */
export interface JournalBounds {
  entries: number;
  /** Total number of characters of all entries, serialized as JSON. */
  characters: number;
}

function isToAgentServer(path: string): boolean {
  return path.startsWith(`${agentsPath}/`);
}

/**
 * Entry serialized as a string. Parsed entries use many times as much memory, and their memory usage cannot be
 * measured.
 */
interface SerializedEntry extends Pick<JournalEntry, "sequence" | "method" | "path"> {
  text: string;
}

/** Latest requests, oldest first. Older requests are dropped. */
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

  /** Removes all entries. The numbering continues, so that clients that read only new entries do not miss any. */
  reset(): void {
    this.#serialized = [];
    this.#characters = 0;
  }
}
