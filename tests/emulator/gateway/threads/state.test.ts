import type { Client as OfficialClient } from "@langchain/langgraph-sdk";
import type { Refused, Thread } from "../../answers";
import { saying } from "../agent";
import { revise, type Running, runDeployment } from "../deployment";
import { officialClient } from "../walk";

let running: Running;
let client: OfficialClient;
beforeAll(async () => {
  running = await runDeployment();
  client = officialClient(running.url, running.plane);
});

async function ranThread(content: string): Promise<string> {
  const { thread_id: thread } = await client.threads.create();
  await running.client.post(`/threads/${thread}/runs/wait`, saying(content));
  return thread;
}

test("returns every field that clients read, even for a new thread", async () => {
  const thread = await client.threads.create();
  const fields = { values: null, interrupts: {}, error: null, state_updated_at: thread.created_at };
  expect(thread).toMatchObject(fields);
  expect(await client.threads.get(thread.thread_id)).toEqual(thread);
  expect(await client.threads.search({ ids: [thread.thread_id] })).toEqual([thread]);
  expect(await client.threads.search({ ids: [thread.thread_id], select: ["values", "interrupts"] })).toEqual([
    { values: null, interrupts: {} },
  ]);
  expect(await client.threads.copy(thread.thread_id)).toMatchObject({ values: null, interrupts: {} });
  expect(await client.threads.getState(thread.thread_id)).toEqual({
    values: {},
    next: [],
    tasks: [],
    interrupts: [],
    metadata: {},
    created_at: null,
    checkpoint: null,
    checkpoint_id: null,
    parent_checkpoint: null,
    parent_checkpoint_id: null,
  });
});

test("reports why a thread failed, and does not list the error as an interrupt", async () => {
  const thread = await ranThread("fail");
  expect(await client.threads.get(thread)).toMatchObject({
    status: "error",
    error: { error: "Error", message: "asked to fail" },
    interrupts: {},
  });
  const { tasks } = await client.threads.getState(thread);
  expect(tasks).toMatchObject([{ name: "answer", error: "Error: asked to fail", interrupts: [] }]);
  await running.client.post(`/threads/${thread}/runs/wait`, saying("hi"));
  expect(await client.threads.get(thread)).toMatchObject({ status: "idle", error: null });
});

test("returns the state at a checkpoint, both with and without subgraphs", async () => {
  const thread = await ranThread("hi");
  const [latest, earlier] = await client.threads.getHistory(thread);
  for (const { checkpoint, ...state } of [latest!, earlier!])
    for (const options of [{}, { subgraphs: true }, { subgraphs: false }])
      expect(await client.threads.getState(thread, checkpoint, options)).toMatchObject(state);
  expect(latest).toMatchObject({
    checkpoint_id: latest!.checkpoint.checkpoint_id,
    parent_checkpoint_id: earlier!.checkpoint.checkpoint_id,
  });
});

test("returns the checkpoint of an updated state, and streams the state to clients", async () => {
  const thread = await ranThread("hi");
  const leave = new AbortController();
  const options = { streamMode: "state_update" as const, lastEventId: "-", signal: leave.signal };
  const values = { messages: [{ role: "user", content: "by hand" }] };
  const updated = await client.threads.updateState(thread, { values, asNode: "answer" });
  const { checkpoint } = await client.threads.getState(thread);
  expect(updated).toMatchObject({ checkpoint: { checkpoint_id: checkpoint.checkpoint_id } });
  expect(updated.configurable).toMatchObject({ checkpoint_id: checkpoint.checkpoint_id });
  for await (const { event, data } of client.threads.joinStream(thread, options)) {
    expect(event).toBe("state_update");
    expect(data).toEqual({ thread_id: thread, state: await client.threads.getState(thread) });
    break;
  }
  leave.abort();
});

describe("an update that a graph does not accept", () => {
  const refused = async (path: string, body: object) => {
    const answer = await running.client.post<Refused>(path, body);
    return [answer.status, answer.body.detail];
  };

  test.each([
    ["a node that the graph does not have", { values: { messages: [] }, as_node: "missing" }, "missing"],
    ["a value in an invalid format", { values: { messages: [{ x: 1 }] } }, "coerce message"],
    [
      "a subgraph that the graph does not have",
      { values: {}, checkpoint: { checkpoint_ns: "none:1" } },
      "none",
    ],
  ])("is rejected if it contains %s", async (_, body, named) => {
    const path = `/threads/${await ranThread("hi")}/state`;
    expect(await refused(path, body)).toEqual([400, expect.stringContaining(named)]);
  });

  test("is rejected if the thread has no graph", async () => {
    const { thread_id: thread } = await client.threads.create();
    expect(await refused(`/threads/${thread}/state`, { values: {} })).toEqual([400, expect.any(String)]);
  });

  test("is rejected in the initial state of a new thread", async () => {
    const supersteps = [{ updates: [{ values: { messages: [] }, as_node: "missing" }] }];
    const body = { metadata: { graph_id: "agent" }, supersteps };
    expect(await refused("/threads", body)).toEqual([400, expect.stringContaining("missing")]);
  });
});

test.each([
  ["get", "/history?before=constructor", undefined],
  ["post", "/history", { before: "__proto__" }],
  ["post", "/history", { checkpoint: { checkpoint_ns: "constructor" } }],
  ["post", "/state/checkpoint", { checkpoint: { checkpoint_ns: "__proto__" } }],
  ["post", "/state", { values: {}, checkpoint_id: "constructor" }],
])("rejects a checkpoint with the name of an inherited property: %s %s", async (method, path, body) => {
  const answer = await running.client.send(
    method.toUpperCase(),
    `/threads/${await ranThread("hi")}${path}`,
    body,
  );
  expect(answer).toMatchObject({ status: 422, body: { detail: expect.any(String) } });
});

test("rejects a time to live that ends after the last valid date", async () => {
  expect((await running.client.post("/threads", { ttl: { ttl: 1e300 } })).status).toBe(422);
  const item = { namespace: ["far"], key: "k", value: {}, ttl: 1e300 };
  expect((await running.client.send("PUT", "/store/items", item)).status).toBe(422);
});

test("accepts properties with any names, and keeps them in the next revision", async () => {
  const metadata = { constructor: { of: "cars" }, prototype: [1], nested: { constructor: "Ferrari" } };
  const { thread_id: thread } = await client.threads.create({ metadata });
  await client.store.putItem(["cars"], "one", metadata);
  await client.runs.wait(thread, "agent", {
    input: { messages: [{ role: "user", content: "hi" }] },
    metadata,
  });
  await revise(running.plane, running.url);
  const { body } = await running.client.get<Thread & { metadata: object }>(`/threads/${thread}`);
  expect(body.metadata).toMatchObject(metadata);
  expect((await client.store.getItem(["cars"], "one"))!.value).toEqual(metadata);
});
