import type { Assistant, Run, Thread, Values } from "../answers";
import { VirtualClock } from "../../../emulator/index";
import { versatilePython } from "../rollout/runtimes/python/agents";
import { describeWithPython } from "../rollout/runtimes/python/available";
import { saying } from "./agent";
import { portOf, type Running, revise, runDeployment, until } from "./deployment";
import { officialClient, retrace, walk } from "./walk";

const clock = new VirtualClock(Date.UTC(2026, 2, 28, 23, 30));

/**
 * Returns the files of a project, changed so that its store supports semantic search. The search compares how often
 * strings contain the word "music".
 */
function searchable(files: Record<string, string>): Record<string, string> {
  const configuration = JSON.parse(files["langgraph.json"]!) as object;
  const store = { index: { dims: 2, embed: "./meaning.py:embed", fields: ["text"] } };
  return {
    ...files,
    "langgraph.json": JSON.stringify({ ...configuration, store }),
    "meaning.py": "def embed(texts):\n    return [[text.count('music') + 0.01, 1.0] for text in texts]\n",
  };
}

describeWithPython("tests/emulator/gateway/python.test.ts")("the gateway in front of a Python agent", () => {
  let running: Running;
  beforeAll(async () => {
    running = await runDeployment(
      { clock, allowedOrigins: ["https://studio.example"] },
      searchable(versatilePython()),
    );
  });
  const newThread = async (more: object = {}): Promise<string> =>
    (await running.client.post<Thread>("/threads", more)).body.thread_id;

  test("does not expose the runtime's admin endpoints, regardless of how the path is encoded", async () => {
    const thread = await newThread();
    const everything = { runs: true, threads: true, assistants: true, checkpointer: true, store: true };
    const paths = [
      "/internal/truncate",
      "/internal%2Ftruncate",
      "/%2finternal/truncate",
      "/x%2f..%2Finternal/truncate",
    ];
    for (const path of paths)
      expect([path, (await running.client.post(path, everything)).status]).toEqual([path, 404]);
    expect((await running.client.get(`/threads/${thread}`)).status).toBe(200);
    // Any other path on the agent's port returns 401 without the control plane's token.
    const port = await portOf(running, running.url);
    for (const path of paths.slice(0, 3))
      expect((await fetch(new URL(path, port), { method: "POST" })).status).toBe(404);
  });

  test("supports all methods of the official client, and keeps the data in the next revision", async () => {
    const client = officialClient(running.url, running.plane);
    const left = await walk(client);
    running.repository.commit(searchable(versatilePython("two")));
    await revise(running.plane, running.url);
    await retrace(client, left);
    const { body } = await running.client.post<Values>("/runs/wait", saying("version"));
    expect(body.messages.at(-1)!.content).toBe("two");
  });

  test("serves the runtime version, the API description, and metrics", async () => {
    const { body } = await running.client.get("/info");
    expect(body).toMatchObject({
      langgraph_py_version: expect.stringMatching(/^1\./),
      flags: { assistants: true, crons: true },
      metadata: { graphs: ["agent"] },
    });
    expect((await running.client.get("/docs")).status).toBe(200);
    expect((await running.client.get("/openapi.json")).body).toMatchObject({ openapi: "3.1.0" });
    expect((await running.client.get("/metrics?format=json")).body).toMatchObject({ workers: { max: 10 } });
  });

  test("handles encoded slashes in a path in the same way as plain ones", async () => {
    const { status, body } = await running.client.post("/threads%2Fsearch", { limit: 0 });
    expect([status, body]).toEqual([422, { detail: expect.stringContaining("limit") }]);
    expect((await running.client.post("/runs%2Fcrons%2Fcount", {})).body).toBe(
      (await running.client.post("/runs/crons/count", {})).body,
    );
  });

  test("accepts requests from web pages whose origins are allowed", async () => {
    const preflight = (origin: string) =>
      running.client.send("OPTIONS", "/info", undefined, {
        origin,
        "access-control-request-method": "GET",
        "access-control-request-private-network": "true",
      });
    const allowed = await preflight("https://studio.example");
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get("access-control-allow-private-network")).toBe("true");
    const other = await preflight("https://evil.example");
    expect(other.headers.get("access-control-allow-private-network")).toBeNull();
  });

  test("rejects a second run with 409 if requested, and continues the first one", async () => {
    const thread = await newThread();
    const first = await running.client.post<Run>(`/threads/${thread}/runs`, saying("slowly"));
    const second = await running.client.post(
      `/threads/${thread}/runs`,
      saying("hi", { multitask_strategy: "reject" }),
    );
    expect(second).toMatchObject({ status: 409, body: { detail: expect.any(String) } });
    const { body } = await running.client.get<Values>(`/threads/${thread}/runs/${first.body.run_id}/join`);
    expect(body.messages.at(-1)!.content).toBe("heard slowly");
  });

  test("forwards a stream event by event", async () => {
    const thread = await newThread();
    const answer = await fetch(`${running.url}/threads/${thread}/runs/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": running.plane.apiKey },
      body: JSON.stringify(saying("slowly", { stream_mode: ["values"] })),
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toMatch(/^event: metadata\r?\n/);
    const busy = await running.client.get<Thread>(`/threads/${thread}`);
    expect(busy.body.status).toBe("busy");
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) rest += part.value;
    expect(rest).toContain("heard slowly");
    expect(rest).not.toContain("event: error");
  });

  test("runs crons on schedule, with the deployment's data", async () => {
    const thread = await newThread();
    const cron = { ...saying("tick"), schedule: "*/10 * * * *" };
    await running.client.post(`/threads/${thread}/runs/crons`, cron);
    await clock.advance(10 * 60_000);
    const { body } = await until(
      () => running.client.get<Run[]>(`/threads/${thread}/runs`),
      (answer) => answer.body.some(({ status }) => status === "success"),
    );
    expect(body).toHaveLength(1);
  });

  test("deletes expired threads, or all of their states except the latest one", async () => {
    const pruned = await newThread({ ttl: { strategy: "keep_latest", ttl: 30 } });
    const gone = await newThread({ ttl: { strategy: "delete", ttl: 30 } });
    await running.client.post(`/threads/${pruned}/runs/wait`, saying("hi"));
    await clock.advance(31 * 60_000);
    await until(
      () => running.client.get(`/threads/${gone}`),
      ({ status }) => status === 404,
    );
    await until(
      () => running.client.get<object[]>(`/threads/${pruned}/history`),
      ({ body }) => body.length === 1,
    );
    const { body } = await running.client.get<{ values: Values }>(`/threads/${pruned}/state`);
    expect(body.values.messages.at(-1)!.content).toBe("heard hi");
  });

  test("stops the runs of a deleted thread, so that other runs can start", async () => {
    const threads = await Promise.all(Array.from({ length: 10 }, () => newThread()));
    for (const thread of threads) await running.client.post(`/threads/${thread}/runs`, saying("endlessly"));
    await until(
      () => running.client.get<{ workers: { active: number } }>("/metrics?format=json"),
      ({ body }) => body.workers.active === 10,
    );
    for (const thread of threads)
      expect((await running.client.delete(`/threads/${thread}`)).status).toBe(200);
    const { body } = await running.client.post<Values>("/runs/wait", saying("hi"));
    expect(body.messages.at(-1)!.content).toBe("heard hi");
  });

  test("serves the graph through MCP and A2A", async () => {
    const accept = { accept: "application/json, text/event-stream" };
    const rpc = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
    const tools = await running.client.send("POST", "/mcp/", rpc("tools/list"), accept);
    expect(tools.body).toMatchObject({
      result: { tools: [{ name: "agent", inputSchema: { type: "object", properties: { messages: {} } } }] },
    });
    const input = { messages: [{ role: "user", content: "tool" }] };
    const called = await running.client.send(
      "POST",
      "/mcp/",
      rpc("tools/call", { name: "agent", arguments: input }),
      accept,
    );
    expect(JSON.stringify(called.body)).toContain("heard tool");
    const message = { role: "user", messageId: "1", parts: [{ kind: "text", text: "agent" }] };
    const sent = await running.client.send("POST", "/a2a/agent", rpc("message/send", { message }), accept);
    expect(sent.body).toMatchObject({
      result: { status: { state: "completed" }, artifacts: [{ parts: [{ text: "heard agent" }] }] },
    });
  });

  test("supports semantic search in the store if the project configures it", async () => {
    const put = (key: string, text: string) =>
      running.client.send("PUT", "/store/items", { namespace: ["likes"], key, value: { text } });
    await put("sound", "music and more music");
    await put("food", "soup");
    const search = async (body: object) =>
      (
        await running.client.post<{ items: { key: string }[] }>("/store/items/search", {
          namespace_prefix: ["likes"],
          ...body,
        })
      ).body.items.map(({ key }) => key);
    expect(await search({})).toEqual(["food", "sound"]);
    expect(await search({ query: "music" })).toEqual(["sound", "food"]);
  });

  test("resolves graphs by name, and draws them", async () => {
    const { body } = await running.client.get<Assistant>("/assistants/agent");
    expect(body).toMatchObject({ graph_id: "agent", assistant_id: "fe096781-5601-53d2-b2f6-0d3403f7e9ca" });
    const graph = await running.client.get<{ nodes: { id: string }[] }>("/assistants/agent/graph?xray=1");
    expect(graph.body.nodes.map(({ id }) => id)).toEqual(["__start__", "hear", "answer", "__end__"]);
    expect((await running.client.get("/assistants/none")).status).toBe(404);
    expect((await running.client.patch("/assistants/agent", { name: "other" })).status).toBe(404);
  });
});
