import { v5 } from "./uuid";

type Json = Record<string, unknown>;

/** An object on an agent server. */
export interface Stored {
  kind: "assistant" | "cron" | "thread" | "item";
  /** ID of the object, or the namespace and key of an item. */
  id: string;
  fields: Json;
  /** Number of writes that have changed the object. */
  version: number;
}

/** Response of the simulated agent server. */
export interface Answer {
  status: number;
  body?: unknown;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const missing: Answer = { status: 404, body: { detail: "not found" } };
const conflict: Answer = { status: 409, body: { detail: "exists already" } };

/**
 * An in-memory agent server that behaves as described in the published API: IDs, merged metadata, versions, and short
 * pages.
 */
export class AgentServer {
  readonly objects = new Map<string, Stored>();
  /** IDs of threads that have runs. */
  readonly threadsWithRuns = new Set<string>();
  /** Maximum number of results per page of a search. */
  private readonly pageLimit = 3;
  private created = 0;

  constructor(private readonly graphs: readonly string[]) {
    for (const graph of graphs) {
      const assistant = {
        graph_id: graph,
        name: graph,
        config: {},
        context: {},
        metadata: { created_by: "system" },
      };
      this.put("assistant", v5(graph), assistant);
    }
  }

  /** Processes one request. */
  answer(method: string, path: string, query: Json, body: Json): Answer {
    const [root, id, ...rest] = path.split("/").filter((part) => part !== "");
    const call = `${method} /${[root, ...(root === "runs" || root === "store" ? [id] : [])].join("/")}`;
    if (root === "assistants") return this.assistants(method, id, rest, body);
    if (root === "threads" && id !== undefined && rest[0] === "runs" && rest[1] === "crons")
      return this.threads("GET", id, [], {}).status === 404 ? missing : this.createCron(body, id);
    if (root === "threads") return this.threads(method, id, rest, body);
    if (root === "runs" && id === "crons") return this.crons(method, rest[0], body);
    if (call.startsWith("PUT /store") || root === "store")
      return this.store(method, rest[0] ?? id!, query, body);
    return missing;
  }

  /** Returns all objects of a kind. */
  all(kind: Stored["kind"]): Stored[] {
    return [...this.objects.values()].filter((one) => one.kind === kind);
  }

  put(kind: Stored["kind"], id: string, fields: Json): Stored {
    const before = this.objects.get(`${kind} ${id}`);
    const version = (before?.version ?? 0) + 1;
    const stored = { kind, id, fields: structuredClone(fields), version };
    this.objects.set(`${kind} ${id}`, stored);
    return stored;
  }

  delete(kind: Stored["kind"], id: string): boolean {
    if (kind === "thread")
      for (const cron of this.all("cron")) if (cron.fields["thread_id"] === id) this.delete("cron", cron.id);
    if (kind === "assistant")
      for (const cron of this.all("cron"))
        if (cron.fields["assistant_id"] === id) this.delete("cron", cron.id);
    return this.objects.delete(`${kind} ${id}`);
  }

  /** Returns a new ID. The IDs are the same every time a sequence is run. */
  newId(): string {
    this.created += 1;
    return v5(`created ${this.created}`);
  }

  private assistants(method: string, id: string | undefined, [part]: string[], body: Json): Answer {
    if (id === "search") return this.search("assistant", body);
    if (id === undefined) {
      if (!this.hasGraph(body["graph_id"])) return missing;
      const newId = textOf(body["assistant_id"]) ?? this.newId();
      if (!uuid.test(newId)) return { status: 422, body: { detail: "assistant_id is not a UUID" } };
      if (this.objects.has(`assistant ${newId}`)) return conflict;
      const { assistant_id: _, if_exists: __, ...given } = body;
      const fields = { name: "Untitled", description: null, config: {}, context: {}, metadata: {}, ...given };
      return { status: 200, body: assistantBody(this.put("assistant", newId, { ...fields, version: 1 })) };
    }
    const found = this.objects.get(`assistant ${id}`);
    if (!found) return missing;
    if (part === "schemas") return { status: 200, body: { graph_id: found.fields["graph_id"] } };
    if (part === "latest") return { status: 404, body: { detail: "no such version" } };
    if (method === "DELETE") return { status: 200, body: [this.delete("assistant", id)] };
    if (method === "GET") return { status: 200, body: assistantBody(found) };
    if (body["graph_id"] !== undefined && !this.hasGraph(body["graph_id"])) return missing;
    const version = Number(found.fields["version"] ?? 1) + 1;
    return { status: 200, body: assistantBody(this.patch(found, { ...body, version })) };
  }

  private threads(method: string, id: string | undefined, [part]: string[], body: Json): Answer {
    if (id === "search") return this.search("thread", body);
    if (id === undefined) {
      const newId = textOf(body["thread_id"]) ?? this.newId();
      if (this.objects.has(`thread ${newId}`)) return conflict;
      const { thread_id: _, if_exists: __, supersteps, ...given } = body;
      return { status: 200, body: threadBody(this.put("thread", newId, { metadata: {}, ...given })) };
    }
    const found = this.objects.get(`thread ${id}`);
    if (!found) return missing;
    if (part === "runs") {
      const run = { run_id: v5(`run ${id}`), status: "success", metadata: {} };
      return { status: 200, body: this.threadsWithRuns.has(id) ? [run] : [] };
    }
    if (part === "state") return { status: 200, body: method === "GET" ? { values: {} } : {} };
    if (method === "DELETE") {
      this.threadsWithRuns.delete(id);
      this.delete("thread", id);
      return { status: 204 };
    }
    if (method === "GET") return { status: 200, body: threadBody(found) };
    return { status: 200, body: threadBody(this.patch(found, body)) };
  }

  private crons(method: string, id: string | undefined, body: Json): Answer {
    if (id === "search") return this.search("cron", body);
    if (id === undefined) return this.createCron(body, null);
    const found = this.objects.get(`cron ${id}`);
    if (!found) return missing;
    if (method === "DELETE") return { status: 200, body: { deleted: this.delete("cron", id) } };
    if (method === "GET") return { status: 200, body: cronBody(found) };
    return { status: 200, body: cronBody(this.patch(found, body)) };
  }

  private createCron(body: Json, thread: string | null): Answer {
    const given = String(body["assistant_id"]);
    const assistant = this.graphs.includes(given) ? v5(given) : given;
    if (!this.objects.has(`assistant ${assistant}`)) return missing;
    const fields = {
      enabled: true,
      timezone: null,
      end_time: null,
      metadata: {},
      ...body,
      thread_id: thread,
    };
    return {
      status: 200,
      body: cronBody(this.put("cron", this.newId(), { ...fields, assistant_id: assistant })),
    };
  }

  private store(method: string, part: string, query: Json, body: Json): Answer {
    if (part === "namespaces") return { status: 200, body: { namespaces: [] } };
    if (part === "search") {
      const prefix = (body["namespace_prefix"] ?? []) as string[];
      const items = this.all("item").filter(({ fields }) =>
        prefix.every((label, at) => (fields["namespace"] as string[])[at] === label),
      );
      return { status: 200, body: { items: this.page(items, body).map(itemBody) } };
    }
    const namespace =
      method === "GET" ? String(query["namespace"]).split(".") : (body["namespace"] as string[]);
    const id = itemId(namespace, String((method === "GET" ? query : body)["key"]));
    const found = this.objects.get(`item ${id}`);
    if (method === "GET") return found ? { status: 200, body: itemBody(found) } : missing;
    if (method === "DELETE") this.delete("item", id);
    else this.put("item", id, { index: null, ttl: null, ...body });
    return { status: 204 };
  }

  private hasGraph(graph: unknown): boolean {
    return this.graphs.some((one) => one === graph);
  }

  private search(kind: Stored["kind"], body: Json): Answer {
    const filter = Object.entries((body["metadata"] ?? {}) as Json);
    const fields = ["graph_id", "assistant_id", "thread_id", "enabled"].filter((name) => body[name] != null);
    const found = this.all(kind).filter(
      (one) =>
        filter.every(([key, value]) => same((one.fields["metadata"] as Json)[key], value)) &&
        fields.every((name) => one.fields[name] === body[name]),
    );
    const shown = { assistant: assistantBody, cron: cronBody, thread: threadBody, item: itemBody }[kind];
    return { status: 200, body: this.page(found, body).map(shown) };
  }

  private page(found: Stored[], { limit = 10, offset = 0 }: Json): Stored[] {
    return found.slice(Number(offset), Number(offset) + Math.min(Number(limit), this.pageLimit));
  }

  /** Applies a PATCH request. Metadata is merged, including null values; all other fields are replaced as a whole. */
  private patch({ kind, id, fields }: Stored, change: Json): Stored {
    const metadata = { ...(fields["metadata"] as Json), ...(change["metadata"] as Json | undefined) };
    return this.put(kind, id, { ...fields, ...change, metadata });
  }
}

/** Returns the ID of an item. */
export function itemId(namespace: readonly string[], key: string): string {
  return JSON.stringify([namespace, key]);
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function assistantBody({ id, fields }: Stored): Json {
  return { assistant_id: id, ...fields };
}

function threadBody({ id, fields: { metadata, graph_id } }: Stored): Json {
  return {
    thread_id: id,
    status: "idle",
    metadata: { ...(metadata as Json), ...(graph_id !== undefined && { graph_id }) },
  };
}

function cronBody({ id, fields }: Stored): Json {
  const {
    schedule,
    timezone,
    end_time,
    metadata,
    on_run_completed,
    enabled,
    thread_id,
    assistant_id,
    ...rest
  } = fields;
  const payload = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return {
    cron_id: id,
    ...{ schedule, timezone, end_time, metadata, on_run_completed, enabled, thread_id, assistant_id },
    next_run_date: enabled === true ? "2027-01-01T09:00:00.000Z" : null,
    payload: { assistant_id, ...payload },
  };
}

function itemBody({ fields: { namespace, key, value } }: Stored): Json {
  return { namespace, key, value };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
