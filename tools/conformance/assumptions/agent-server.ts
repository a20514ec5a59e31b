import { createHash, randomUUID } from "node:crypto";
import { type DeploymentAssumption, judge, notDetermined, type Outcome, type Probe } from "../assumption";
import type { Subject } from "../deployments";
import { isProtected } from "../protected-address";
import { textAt, valueAt } from "../json";
import type { Answer } from "../requests";
import { rolledOutSources } from "../settings";

/** Namespace of the IDs of the assistants that a server creates for graphs. */
const assistantNamespace = "6ba7b821-9dad-11d1-80b4-00c04fd430c8";

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Sends the requests of a probe to the agent server of a deployment, if the deployment has one. */
async function onAgent(
  { requests }: Probe,
  { path, rollout }: Subject,
  probe: (send: Send) => Promise<Outcome>,
): Promise<Outcome> {
  const last = rollout?.statuses.at(-1);
  if (last !== "DEPLOYED") return notDetermined(`the rollout ended with ${last ?? "no revision"}`);
  const { body } = await requests.send("GET", path);
  const url = textAt(body, "url") ?? textAt(body, "source_config.custom_url");
  if (url === undefined) return notDetermined("the deployment has no URL");
  if (!isProtected(url)) return notDetermined("the key is not sent without TLS");
  return probe((method, at, content) =>
    requests.send(method, url.replace(/\/$/, "") + at, {
      ...(content !== undefined && { body: content }),
      headers: { "X-Tenant-Id": undefined },
    }),
  );
}

const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Returns the ID and the graph of an assistant that the server created; undefined if there is none. */
async function systemAssistant(send: Send): Promise<{ id: string; graph: string } | undefined> {
  const { body } = await send("POST", "/assistants/search", { metadata: { created_by: "system" }, limit: 1 });
  const id = textAt(valueAt(body, "0"), "assistant_id");
  const graph = textAt(valueAt(body, "0"), "graph_id");
  return id !== undefined && graph !== undefined ? { id, graph } : undefined;
}

function nameBasedId(name: string): string {
  const hash = createHash("sha1")
    .update(Buffer.from(assistantNamespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest()
    .subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  return hash.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const assistants = "provider/agent-server/client/assistants.ts";
const crons = "provider/agent-server/client/crons.ts";
const store = "provider/agent-server/client/store.ts";
const threads = "provider/agent-server/client/threads.ts";

type Entry = Pick<DeploymentAssumption, "id" | "sentence" | "basis" | "places"> & {
  check: (send: Send) => Promise<Outcome>;
};

const entries: readonly Entry[] = [
  {
    id: "agent.ok",
    sentence: "GET /ok returns 200 and {ok: true}.",
    basis: "documented",
    places: [{ file: "provider/agent-server/client/index.ts", text: "/ok" }],
    async check(send) {
      const { status, body } = await send("GET", "/ok");
      return judge(status === 200 && valueAt(body, "ok") === true, `status ${status}`);
    },
  },
  {
    id: "agent.default-assistant",
    sentence: "The server has one assistant per graph. Its ID is the version 5 UUID of the graph's name.",
    basis: "documented",
    places: [{ file: "provider/assistant/kind.ts", text: "function isDefault" }],
    async check(send) {
      const found = await systemAssistant(send);
      if (!found) return judge(false, "the server has no assistant that the system created");
      return judge(found.id === nameBasedId(found.graph), `graph ${found.graph} has ${found.id}`);
    },
  },
  {
    id: "agent.assistants",
    sentence:
      "An assistant can be created with an ID, a second one with the same ID is rejected with 409, and requests for a deleted one return 404.",
    basis: "documented",
    places: [{ file: assistants, text: "create(id" }],
    async check(send) {
      const graph = (await systemAssistant(send))?.graph ?? "agent";
      const body = { assistant_id: randomUUID(), graph_id: graph, name: "conformance", if_exists: "raise" };
      const created = await send("POST", "/assistants", body);
      const again = await send("POST", "/assistants", body);
      const deleted = await send("DELETE", `/assistants/${body.assistant_id}`);
      const missing = await send("GET", `/assistants/${body.assistant_id}`);
      const isCreated = isSuccess(created) && textAt(created.body, "assistant_id") === body.assistant_id;
      return judge(
        isCreated && again.status === 409 && isSuccess(deleted) && missing.status === 404,
        `statuses ${[created, again, deleted, missing].map(({ status }) => status).join(", ")}`,
      );
    },
  },
  {
    id: "agent.assistant-versions",
    sentence:
      "Each PATCH of an assistant creates a version, merges metadata, and replaces context; an earlier version can be activated.",
    basis: "documented",
    places: [
      { file: assistants, text: "update(id" },
      { file: assistants, text: "useVersion(id" },
    ],
    async check(send) {
      const graph = (await systemAssistant(send))?.graph ?? "agent";
      const id = randomUUID();
      const path = `/assistants/${id}`;
      const created = await send("POST", "/assistants", {
        ...{ assistant_id: id, graph_id: graph, if_exists: "raise" },
        ...{ metadata: { a: "1" }, context: { a: "1" } },
      });
      const changed = await send("PATCH", path, { metadata: { b: "2" }, context: { b: "2" } });
      const repeated = await send("PATCH", path, { context: { b: "2" } });
      const first = await send("POST", `${path}/latest?version=1`, { version: 1 });
      await send("DELETE", path);
      const versions = [created, changed, repeated, first].map(({ body }) => valueAt(body, "version"));
      const isMerged =
        valueAt(changed.body, "metadata.a") === "1" && valueAt(changed.body, "metadata.b") === "2";
      const isReplaced =
        valueAt(changed.body, "context.a") === undefined && valueAt(changed.body, "context.b") === "2";
      const holds = versions.join() === "1,2,3,1" && isMerged && isReplaced;
      return judge(
        holds,
        `versions ${versions.join(", ")}, metadata ${isMerged ? "merged" : "replaced"}, context ${isReplaced ? "replaced" : "merged"}`,
      );
    },
  },
  {
    id: "agent.assistant-search",
    sentence: "A search for assistants filters by metadata and returns an array.",
    basis: "documented",
    places: [{ file: assistants, text: "async search(filter" }],
    async check(send) {
      const graph = (await systemAssistant(send))?.graph ?? "agent";
      const id = randomUUID();
      await send("POST", "/assistants", { assistant_id: id, graph_id: graph, metadata: { conformance: id } });
      const { body } = await send("POST", "/assistants/search", { metadata: { conformance: id }, limit: 10 });
      await send("DELETE", `/assistants/${id}`);
      const found = Array.isArray(body) ? (body as unknown[]).map((row) => textAt(row, "assistant_id")) : [];
      return judge(found.length === 1 && found[0] === id, `${found.length} rows`);
    },
  },
  {
    id: "agent.crons",
    sentence:
      "A cron gets an ID from the server, is found by its metadata, has its input in payload, and can be disabled and deleted.",
    basis: "documented",
    places: [
      { file: crons, text: "create(body" },
      { file: crons, text: "async find(id" },
    ],
    async check(send) {
      const assistant = await systemAssistant(send);
      if (!assistant) return notDetermined("the server has no assistant");
      const mark = randomUUID();
      // Disabled, and due once a year, so that it never runs.
      const created = await send("POST", "/runs/crons", {
        ...{ assistant_id: assistant.id, schedule: "0 0 1 1 *", enabled: false },
        ...{ input: { mark }, metadata: { conformance: mark } },
      });
      const id = textAt(created.body, "cron_id");
      if (id === undefined) return judge(false, `status ${created.status}`);
      const found = await send("POST", "/runs/crons/search", { metadata: { conformance: mark }, limit: 10 });
      const changed = await send("PATCH", `/runs/crons/${id}`, { schedule: "0 0 2 1 *" });
      const deleted = await send("DELETE", `/runs/crons/${id}`);
      const again = await send("DELETE", `/runs/crons/${id}`);
      const rows = Array.isArray(found.body) ? (found.body as unknown[]) : [];
      const isFound = rows.length === 1 && textAt(rows[0], "payload.input.mark") === mark;
      const isChanged = textAt(changed.body, "schedule") === "0 0 2 1 *";
      return judge(
        isFound && isChanged && isSuccess(deleted) && again.status === 404,
        `${rows.length} rows, statuses ${[created, changed, deleted, again].map(({ status }) => status).join(", ")}`,
      );
    },
  },
  {
    id: "agent.store",
    sentence:
      "An item is written with PUT and read with its namespace joined by dots; a request for a deleted one returns 404 or null.",
    basis: "clients",
    places: [
      { file: store, text: "async put(" },
      { file: store, text: "async find(" },
    ],
    async check(send) {
      const namespace = ["conformance", randomUUID()];
      const path = `/store/items?key=one&namespace=${namespace.join(".")}&refresh_ttl=false`;
      const written = await send("PUT", "/store/items", { namespace, key: "one", value: { a: 1 } });
      const read = await send("GET", path);
      const search = await send("POST", "/store/items/search", { namespace_prefix: namespace, limit: 10 });
      const deleted = await send("DELETE", "/store/items", { namespace, key: "one" });
      const missing = await send("GET", path);
      const items = valueAt(search.body, "items");
      const holds =
        isSuccess(written) &&
        valueAt(read.body, "value.a") === 1 &&
        Array.isArray(items) &&
        items.length === 1 &&
        isSuccess(deleted) &&
        (missing.status === 404 || missing.body === null);
      return judge(
        holds,
        `statuses ${[written, read, search, deleted, missing].map(({ status }) => status).join(", ")}`,
      );
    },
  },
  {
    id: "agent.threads",
    sentence:
      "A thread can be created with an ID, a second one is rejected with 409, a PATCH merges metadata, and requests for a deleted one return 404.",
    basis: "documented",
    places: [{ file: threads, text: "createAs(id" }],
    async check(send) {
      const id = randomUUID();
      const body = { thread_id: id, metadata: { a: "1" }, if_exists: "raise" };
      const created = await send("POST", "/threads", body);
      const again = await send("POST", "/threads", body);
      const changed = await send("PATCH", `/threads/${id}`, { metadata: { b: "2" } });
      const deleted = await send("DELETE", `/threads/${id}`);
      const missing = await send("GET", `/threads/${id}`);
      const isMerged =
        valueAt(changed.body, "metadata.a") === "1" && valueAt(changed.body, "metadata.b") === "2";
      const holds =
        textAt(created.body, "thread_id") === id &&
        again.status === 409 &&
        isMerged &&
        isSuccess(deleted) &&
        missing.status === 404;
      return judge(
        holds,
        `statuses ${[created, again, changed, deleted, missing].map(({ status }) => status).join(", ")}`,
      );
    },
  },
];

/**
 * Assumptions about the agent server of a deployment. Their probes do not run any graph, so they do not call a model.
 */
export const agentServerAssumptions: readonly DeploymentAssumption[] = entries.map(({ check, ...entry }) => ({
  ...entry,
  stage: "rolled out",
  sources: rolledOutSources,
  probe: (probe, subject) => onAgent(probe, subject, check),
}));
