import type { Thread } from "../../answers";
import { saying } from "../agent";
import { type Running, runDeployment } from "../deployment";

let running: Running;
beforeAll(async () => {
  running = await runDeployment();
});

const odd = [null, true, -1, 1.5, 1e300, "", "x", "\u0000", [], [null], {}, { a: null }, "constructor"];
const accept = "application/json, text/event-stream";
const send = (method: string, path: string, body?: unknown) =>
  running.client.send(method, path, body, { accept });

/** Sends all requests and returns those that result in a server error. */
async function blaming(requests: [method: string, path: string, body?: unknown][]): Promise<string[]> {
  const blamed: string[] = [];
  for (const request of requests) {
    const { status, body } = await send(...request);
    if (status >= 500) blamed.push(`${status} ${JSON.stringify(request)} ${JSON.stringify(body)}`);
  }
  return blamed;
}

describe("inherited property names", () => {
  test.each(["__proto__", "constructor", "toString"])(
    "does not treat %s as an assistant or a graph",
    async (name) => {
      const path = `/assistants/${name}`;
      for (const rest of ["", "/graph", "/schemas", "/subgraphs"])
        expect((await send("GET", path + rest)).status).toBe(404);
      expect((await send("PATCH", path, { name: "changed" })).status).toBe(404);
      expect((await send("POST", `${path}/latest`, { version: 1 })).status).toBe(404);
      expect((await send("POST", `${path}/versions`, {})).status).toBe(404);
      expect((await send("DELETE", path)).status).toBe(404);
      expect((await send("POST", "/assistants", { graph_id: name })).status).toBe(404);
      expect((await send("PATCH", "/assistants/agent", { graph_id: name })).status).toBe(404);
      expect((await send("POST", "/runs/wait", { ...saying("hi"), assistant_id: name })).status).toBe(404);
      // The rejected requests have not changed anything that other requests use.
      expect((await send("GET", "/assistants/agent")).body).toMatchObject({
        graph_id: "agent",
        name: "agent",
      });
      expect((await send("GET", "/assistants/agent/graph")).status).toBe(200);
    },
  );
});

test.each(["__proto__", "constructor"])(
  "returns 404 for the state of a thread whose graph is %s",
  async (name) => {
    const metadata = JSON.parse(`{"graph_id": "${name}"}`) as object;
    const { thread_id: id } = (await send("POST", "/threads", { metadata })).body as Thread;
    for (const rest of ["state", "history"])
      expect((await send("GET", `/threads/${id}/${rest}`)).status).toBe(404);
    expect((await send("POST", "/runs/wait", saying("hi"))).status).toBe(200);
  },
);

test.each(["commands", "stream/events"])(
  "rejects a body that is not JSON with the documented response: %s",
  async (rest) => {
    const { thread_id: id } = (await send("POST", "/threads", {})).body as Thread;
    const { status, body } = await send("POST", `/threads/${id}/${rest}`, "{");
    expect([status, Object.keys(body as object)]).toEqual([400, ["detail"]]);
  },
);

test("rejects a namespace label with a colon, which the runtime's store does not support", async () => {
  const namespace = ["user:1"];
  for (const [method, path, body] of [
    ["PUT", "", { namespace, key: "k", value: {} }],
    ["GET", "?namespace=user:1&key=k", undefined],
    ["DELETE", "", { namespace, key: "k" }],
    ["POST", "/search", { namespace_prefix: namespace }],
  ] as const)
    expect([method, (await send(method, `/store/items${path}`, body)).status]).toEqual([method, 422]);
  for (const part of ["prefix", "suffix"])
    expect((await send("POST", "/store/namespaces", { [part]: namespace })).status).toBe(422);
});

test("treats an empty prefix as the prefix of every namespace", async () => {
  await send("PUT", "/store/items", { namespace: ["a", "b"], key: "k", value: {} });
  const { status, body } = await send("POST", "/store/namespaces", { prefix: [], suffix: [] });
  expect([status, body]).toEqual([200, { namespaces: [["a", "b"]] }]);
});

test("returns no server error for unusual values in any field of an assistant", async () => {
  const fields = {
    "/assistants": ["assistant_id", "graph_id", "config", "context", "metadata", "if_exists", "name"],
    "/assistants/search": ["metadata", "graph_id", "name", "limit", "offset", "sort_by", "select"],
    "/assistants/count": ["metadata", "graph_id", "name"],
    "/assistants/agent/versions": ["metadata", "limit", "offset"],
    "/assistants/agent/latest": ["version"],
  };
  const whole = Object.keys(fields).flatMap((path) => odd.map((body) => ["POST", path, body] as const));
  const parts = Object.entries(fields).flatMap(([path, names]) =>
    names.flatMap((name) =>
      odd.map((value) => ["POST", path, { graph_id: "agent", [name]: value }] as const),
    ),
  );
  const queries = ["xray=x", "xray=1&xray=2", "recurse=x", "version=1e400"].flatMap((query) =>
    ["graph", "subgraphs", "latest"].map((rest) => ["GET", `/assistants/agent/${rest}?${query}`] as const),
  );
  expect(await blaming([...whole, ...parts, ...queries].map((request) => [...request]))).toEqual([]);
});

test("returns no server error for unusual MCP and A2A messages", async () => {
  const call = (method: unknown, params: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
  const mcp = odd.flatMap((value) => [
    value,
    [value],
    call(value, {}),
    ...["initialize", "tools/list", "tools/call"].map((method) => call(method, value)),
    call("initialize", { protocolVersion: value }),
    call("tools/call", { name: value, arguments: {} }),
    call("tools/call", { name: "agent", arguments: value }),
  ]);
  const message = { role: "user", messageId: "m", parts: [{ kind: "text", text: "hi" }] };
  const a2a = odd.flatMap((value) => [
    value,
    call(value, {}),
    ...["message/send", "SendStreamingMessage", "tasks/get", "CancelTask", "ListTasks"].map((method) =>
      call(method, value),
    ),
    ...["id", "contextId", "historyLength", "pageToken"].map((name) => call("tasks/get", { [name]: value })),
    ...Object.keys({ ...message, taskId: "" }).map((name) =>
      call("message/send", { message: { ...message, [name]: value } }),
    ),
    call("SendMessage", { message: { ...message, parts: [{ data: value }] } }),
  ]);
  expect(
    await blaming([
      ...mcp.map((body): [string, string, unknown] => ["POST", "/mcp", body]),
      ...a2a.map((body): [string, string, unknown] => ["POST", "/a2a/agent", body]),
    ]),
  ).toEqual([]);
});

test.each([
  ["PUT", "/assistants/agent", "GET, PATCH, DELETE"],
  ["GET", "/assistants", "POST"],
  ["POST", "/assistants/agent/schemas", "GET"],
  ["GET", "/mcp", "POST"],
  ["GET", "/a2a/agent", "POST"],
  ["DELETE", "/.well-known/agent-card.json", "GET"],
])("rejects an unsupported method, and lists the allowed ones: %s %s", async (method, path, allow) => {
  const { status, headers } = await send(method, path);
  expect([status, headers.get("allow")]).toEqual([405, allow]);
});
