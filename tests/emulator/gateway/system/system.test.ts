import parsePrometheus from "parse-prometheus-text-format";
import type { ApiDocument, Assistant, Thread, ThreadState } from "../../answers";
import { saying } from "../agent";
import { type Running, runDeployment } from "../deployment";

let running: Running;
beforeAll(async () => {
  running = await runDeployment({
    organizations: [
      { name: "acme", apiKeys: ["acme-key"], tenants: ["acme-one"] },
      { name: "other", apiKeys: ["other-key"], tenants: ["other-one"] },
    ],
  });
});

const withKey = (path: string, key?: string, method = "GET") =>
  fetch(running.url + path, { method, ...(key ? { headers: { "x-api-key": key } } : {}) });

test("requires an API key for every path except /ok", async () => {
  for (const method of ["GET", "HEAD"])
    expect([method, (await withKey("/ok", undefined, method)).status]).toEqual([method, 200]);
  const guarded: [string, string][] = [
    ["POST", "/ok"],
    ["GET", "/ok/"],
    ["GET", "/info"],
    ["GET", "/docs"],
    ["GET", "/docs/swagger-ui.css"],
    ["GET", "/openapi.json"],
    ["GET", "/metrics"],
    ["POST", "/threads"],
    ["POST", "/runs/wait"],
    ["POST", "/runs/crons/search"],
    ["GET", "/store/items?key=a&namespace=b"],
    ["POST", "/mcp/"],
    ["POST", "/a2a/agent"],
    ["GET", "/.well-known/agent-card.json"],
    ["GET", "/docs/../threads"],
    ["GET", "/internal/truncate"],
    ["GET", "/%69nternal/truncate"],
    ["GET", "/internal"],
    ["GET", "//internal/truncate"],
  ];
  for (const [method, path] of guarded) {
    expect([path, (await withKey(path, undefined, method)).status]).toEqual([path, 401]);
    expect([path, (await withKey(path, "other-key", method)).status]).toEqual([path, 403]);
  }
});

test("accepts requests from any web page if they contain a key", async () => {
  const origin = { origin: "https://page.example" };
  const preflight = await fetch(`${running.url}/threads`, {
    method: "OPTIONS",
    headers: {
      ...origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-api-key",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toBe("x-api-key");
  for (const path of ["/assistants/agent", "/assistants/none", "/runs/crons/x", "/threads"]) {
    const answer = await fetch(running.url + path, { headers: { ...origin, "x-api-key": "acme-key" } });
    expect([path, answer.headers.get("access-control-allow-origin")]).toEqual([path, "*"]);
  }
  expect((await fetch(`${running.url}/threads`, { method: "OPTIONS" })).status).toBe(401);
});

test("hides the runtime's own admin endpoints", async () => {
  for (const path of [
    "/internal/truncate",
    "/%69nternal/truncate",
    "//internal/truncate",
    "/internal%2ftruncate",
  ])
    expect([path, (await running.client.post(path, { threads: true })).status]).toEqual([path, 404]);
});

test("supports a database check in requests to /ok", async () => {
  expect((await running.client.get("/ok?check_db=1")).body).toEqual({ ok: true });
  expect((await running.client.get("/ok?check_db=perhaps")).status).toBe(422);
});

test("serves /info with all documented fields", async () => {
  expect((await running.client.get("/info")).body).toMatchObject({
    version: "1.5.1",
    langgraph_py_version: "",
    langgraph_js_version: expect.any(String),
    flags: { assistants: true, crons: true },
    metadata: { graphs: ["agent"] },
  });
});

test("serves valid /metrics as text and JSON", async () => {
  await running.client.post("/runs/wait", saying("hi"));
  const answer = await withKey("/metrics", "acme-key");
  expect(answer.headers.get("content-type")).toContain("text/plain");
  const families = parsePrometheus(await answer.text());
  const family = (name: string) => families.find((one) => one.name === name);
  expect(family("lg_api_workers_max")).toMatchObject({ type: "GAUGE", metrics: [{ value: "10" }] });
  expect(family("lg_api_num_running_runs")!.metrics[0]).toEqual({ value: "0" });
  expect(family("lg_api_http_requests_total")!.metrics).toContainEqual({
    value: "1",
    labels: { method: "POST", path: "/runs/wait", status: "200" },
  });
  expect(family("lg_api_http_requests_latency_seconds")!.type).toBe("HISTOGRAM");
  const { body } = await running.client.get("/metrics?format=json");
  expect(body).toMatchObject({ queue: { num_pending: 0, num_running: 0 }, workers: { max: 10 } });
});

test("serves /docs as a page, and describes all operations in /openapi.json", async () => {
  const page = await (await withKey("/docs", "acme-key")).text();
  expect(page).toContain('src="' + new URL(running.url).pathname + '/docs/start.js"');
  for (const [, address] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const place = new URL(address!, running.url);
    expect(place.origin).toBe(new URL(running.url).origin);
    expect((await fetch(place, { headers: { "x-api-key": "acme-key" } })).status).toBe(200);
  }
  const { body } = await running.client.get<ApiDocument>("/openapi.json");
  expect(body.openapi).toBe("3.1.0");
  expect(body.servers).toEqual([{ url: new URL(running.url).pathname }]);
  expect(body.paths["/threads/{thread_id}/runs"]!.post!.responses).toHaveProperty("409");
});

describe("error responses", () => {
  const missing = crypto.randomUUID();
  test.each<[string, string, unknown, number]>([
    ["POST", "/assistants", { graph_id: "none" }, 404],
    ["POST", "/assistants", {}, 422],
    ["POST", "/assistants", { graph_id: "agent", assistant_id: "x" }, 422],
    ["POST", "/assistants", "{", 422],
    ["POST", "/assistants/search", { limit: 0 }, 422],
    ["GET", `/assistants/${missing}`, undefined, 404],
    ["GET", "/assistants/none", undefined, 404],
    ["GET", "/assistants/none/schemas", undefined, 404],
    ["PATCH", `/assistants/${missing}`, { name: "x" }, 404],
    ["PATCH", "/assistants/agent", { graph_id: "none" }, 404],
    ["DELETE", `/assistants/${missing}`, undefined, 404],
    ["POST", "/assistants/agent/latest", { version: 99 }, 404],
    ["POST", "/assistants/agent/latest", {}, 422],
    ["POST", `/assistants/${missing}/versions`, {}, 404],
    ["GET", `/threads/${missing}`, undefined, 404],
    ["GET", "/threads/x", undefined, 422],
    ["PATCH", `/threads/${missing}`, {}, 404],
    ["DELETE", `/threads/${missing}`, undefined, 404],
    ["POST", `/threads/${missing}/copy`, undefined, 404],
    ["GET", `/threads/${missing}/state`, undefined, 404],
    ["POST", `/threads/${missing}/state`, { values: {} }, 404],
    ["GET", `/threads/${missing}/history`, undefined, 404],
    ["GET", `/threads/${missing}/history?limit=x`, undefined, 422],
    ["GET", `/threads/${missing}/runs`, undefined, 404],
    ["GET", `/threads/${missing}/runs/${missing}`, undefined, 404],
    ["GET", `/threads/${missing}/runs/${missing}/join`, undefined, 404],
    ["GET", `/threads/${missing}/runs/${missing}/stream`, undefined, 404],
    ["POST", `/threads/${missing}/runs/${missing}/cancel`, undefined, 404],
    ["DELETE", `/threads/${missing}/runs/${missing}`, undefined, 404],
    ["POST", `/threads/${missing}/runs/wait`, saying("hi"), 404],
    ["POST", `/threads/${missing}/runs/stream`, saying("hi"), 404],
    ["POST", "/runs/wait", { assistant_id: "none", input: {} }, 404],
    ["POST", "/runs/batch", [], 422],
    ["POST", "/threads/prune", {}, 422],
    ["GET", `/runs/crons/${missing}`, undefined, 404],
    ["PATCH", `/runs/crons/${missing}`, {}, 404],
    ["DELETE", `/runs/crons/${missing}`, undefined, 404],
  ])("returns an error with a detail: %s %s", async (method, path, body, status) => {
    const answer = await running.client.send(method, path, body);
    expect(answer).toMatchObject({ status, body: { detail: expect.any(String) } });
    expect(answer.headers.get("content-type")).toContain("application/json");
  });

  test("returns 409 for a create request for an existing object", async () => {
    const { body: assistant } = await running.client.post<Assistant>("/assistants", { graph_id: "agent" });
    const again = { graph_id: "agent", assistant_id: assistant.assistant_id };
    expect(await running.client.post("/assistants", again)).toMatchObject({
      status: 409,
      body: { detail: "Assistant already exists" },
    });
    const kept = await running.client.post("/assistants", { ...again, if_exists: "do_nothing", name: "x" });
    expect(kept).toMatchObject({ status: 200, body: { name: "Untitled" } });
    const { body: thread } = await running.client.post<Thread>("/threads");
    expect((await running.client.post("/threads", { thread_id: thread.thread_id })).status).toBe(409);
  });
});

test("creates a thread from supersteps, patches it with a 204 response, and finds it by values", async () => {
  const update = { as_node: "__start__", values: { messages: [{ role: "user", content: "of steps" }] } };
  const steps = { metadata: { graph_id: "agent" }, supersteps: [{ updates: [update] }] };
  const { body: thread } = await running.client.post<Thread>("/threads", steps);
  const state = await running.client.get<ThreadState>(`/threads/${thread.thread_id}/state`);
  expect(state.body.values.messages[0]!.content).toBe("of steps");
  const path = `/threads/${thread.thread_id}`;
  const minimal = await running.client.send(
    "PATCH",
    path,
    { metadata: { a: 1 } },
    { prefer: "return=minimal" },
  );
  expect([minimal.status, minimal.body]).toEqual([204, undefined]);
  const values = { messages: { 0: { content: "of steps" } } };
  const found = await running.client.post<Thread[]>("/threads/search", { values });
  expect(found.body.map(({ thread_id }) => thread_id)).toEqual([thread.thread_id]);
  expect((await running.client.post("/threads/count", { values })).body).toBe(1);
});

test("returns the total number of search results and the next offset in headers", async () => {
  for (let made = 0; made < 3; made++)
    await running.client.post("/threads", { metadata: { page: "1", made: { nested: made } } });
  const search = (body: object) =>
    running.client.post<Thread[]>("/threads/search", { metadata: { page: "1" }, ...body });
  const first = await search({ limit: 2, sort_order: "asc", extract: { made: "metadata.made.nested" } });
  expect(first.headers.get("x-pagination-total")).toBe("3");
  expect(first.headers.get("x-pagination-next")).toBe("2");
  expect(first.body.map(({ extracted }) => extracted)).toEqual([{ made: 0 }, { made: 1 }]);
  const last = await search({ limit: 2, offset: 2, select: ["thread_id"] });
  expect(last.headers.get("x-pagination-total")).toBe("3");
  expect(last.headers.get("x-pagination-next")).toBeNull();
  expect(Object.keys(last.body[0]!)).toEqual(["thread_id"]);
  for (const name of ["b", "a", "c"])
    await running.client.post("/assistants", { graph_id: "agent", name, metadata: { page: "1" } });
  const sorted = await running.client.post<Assistant[]>("/assistants/search", {
    metadata: { page: "1" },
    sort_by: "name",
    sort_order: "asc",
  });
  expect(sorted.body.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect(sorted.headers.get("x-pagination-total")).toBe("3");
});
