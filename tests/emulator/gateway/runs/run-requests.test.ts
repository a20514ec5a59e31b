import type { Client as OfficialClient, Run } from "@langchain/langgraph-sdk";
import { Client } from "../../control-plane/client";
import { agentFiles, answeringGraph } from "../../rollout/agents";
import { Repository } from "../../rollout/repository";
import { saying } from "../agent";
import { deploy, type Running, runDeployment, until } from "../deployment";
import { officialClient } from "../walk";

let running: Running;
let client: OfficialClient;
beforeAll(async () => {
  running = await runDeployment();
  client = officialClient(running.url, running.plane);
});

const input = (content: string) => ({ messages: [{ role: "user", content }] });
const newThread = async (): Promise<string> => (await client.threads.create()).thread_id;
const start = (thread: string, content: string, more: object = {}) =>
  client.runs.create(thread, "agent", { input: input(content), ...more });

/** Returns the names of a run's events that match this query. */
async function events({ thread_id, run_id }: Run, query: string, from: string): Promise<string[]> {
  const answer = await fetch(`${running.url}/threads/${thread_id}/runs/${run_id}/stream${query}`, {
    headers: { "x-api-key": running.plane.apiKey, "last-event-id": from },
  });
  return [...(await answer.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name!);
}

test("treats an empty stream mode, which the Python client sends, as missing", async () => {
  const run = await start(await newThread(), "hi", {
    streamResumable: true,
    streamMode: ["values", "updates"],
  });
  const all = await events(run, "", "-1");
  expect(all).toEqual(["metadata", "values", "updates", "values", "updates", "values"]);
  expect(await events(run, "?cancel_on_disconnect=false&stream_mode=", "-1")).toEqual(all);
  expect(await events(run, "?stream_mode=", "2")).toEqual(all.slice(3));
});

test("rejects a context together with configurable values in all requests that create runs", async () => {
  const both = saying("hi", { context: { a: 1 }, config: { configurable: { b: 2 } } });
  const thread = await newThread();
  for (const path of [`/threads/${thread}/runs`, "/runs"])
    for (const way of ["", "/wait", "/stream"])
      expect(await running.client.post(path + way, both)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining("context") },
      });
  expect((await running.client.post("/runs/batch", [both])).status).toBe(400);
  expect(await client.runs.list(thread)).toEqual([]);
  const one = saying("hi", { context: {}, config: { configurable: { b: 2 } } });
  expect((await running.client.post("/runs/wait", one)).status).toBe(200);
});

test("reports a new run as pending", async () => {
  const bodies = Array.from({ length: 60 }, () => ({ assistantId: "agent", input: input("hi") }));
  const made = await client.runs.createBatch(bodies);
  expect([...new Set(made.map(({ status }) => status))]).toEqual(["pending"]);
});

/**
 * Source of an agent whose runs wait for each other before they read the checkpointer of the graph. All runs share the
 * checkpointer.
 */
const meeting = `${answeringGraph("return `heard ${said}`;")}
const { streamEvents } = graph;
let arrived = 0;
let meet;
const met = new Promise((resolve) => (meet = resolve));
graph.streamEvents = async function* (...args) {
  if (++arrived === 2) meet();
  await met;
  yield* streamEvents.apply(graph, args);
};
`;

test("keeps the state of a run on a thread even if a stateless run starts at the same time", async () => {
  const url = await deploy(running.plane, new Repository(agentFiles(meeting)), "meeting");
  const { threads, runs } = officialClient(url, running.plane);
  const { thread_id: thread } = await threads.create();
  const run = await runs.create(thread, "agent", { input: input("hi") });
  const caller = new Client(url, { "X-Api-Key": running.plane.apiKey });
  await until(
    () => caller.get<Run>(`/threads/${thread}/runs/${run.run_id}`),
    ({ body }) => body.status === "running",
  );
  await runs.wait(null, "agent", { input: input("alone") });
  await runs.join(thread, run.run_id);
  expect((await threads.getState(thread)).values).toMatchObject({ messages: [{}, { content: "heard hi" }] });
});

describe("cancellation of ended runs", () => {
  test("fails with 404, and does not change the run", async () => {
    const thread = await newThread();
    const run = await start(thread, "hi");
    await client.runs.join(thread, run.run_id);
    for (const query of ["", "?wait=true", "?action=rollback"])
      expect(await running.client.post(`/threads/${thread}/runs/${run.run_id}/cancel${query}`)).toMatchObject(
        { status: 404, body: { detail: expect.stringContaining("No run can be canceled") } },
      );
    expect(await client.runs.get(thread, run.run_id)).toMatchObject({ status: "success" });
  });

  test("is ignored if the request also cancels a run that has not ended", async () => {
    const thread = await newThread();
    const over = await start(thread, "hi");
    await client.runs.join(thread, over.run_id);
    const some = { thread_id: thread, run_ids: [over.run_id, thread] };
    expect((await running.client.post("/runs/cancel", some)).status).toBe(404);
    const waiting = await start(thread, "later", { afterSeconds: 3600 });
    const more = { ...some, run_ids: [...some.run_ids, waiting.run_id] };
    expect((await running.client.post("/runs/cancel", more)).status).toBe(204);
    expect(await client.runs.get(thread, waiting.run_id)).toMatchObject({ status: "interrupted" });
    await until(
      () => running.client.post("/threads/count", { status: "busy" }),
      ({ body }) => body === 0,
    );
    expect((await running.client.post("/runs/cancel", { status: "all" })).status).toBe(404);
  });
});

describe("a request header", () => {
  const telling = `import { getConfig } from "@langchain/langgraph";\n${answeringGraph(
    'const { configurable } = getConfig(); return ["user-agent", "x-one", "x-two", "my-a", "my-b"].filter((name) => name in configurable).join();',
  )}`;
  const headers = { "user-agent": "me", "x-one": "1", "x-two": "2", "my-a": "a", "my-b": "b" };
  const told = async (name: string, configuration: object) => {
    const url = await deploy(running.plane, new Repository(agentFiles(telling, { ...configuration })), name);
    const caller = new Client(url, { "X-Api-Key": running.plane.apiKey });
    const answer = await caller.send<{ messages: { content: string }[] }>(
      "POST",
      "/runs/wait",
      saying("hi"),
      headers,
    );
    return answer.body.messages.at(-1)!.content;
  };

  test("is not added to the configuration of the run by default", async () => {
    expect(await told("silent", {})).toBe("");
  });

  test("is added to the configuration of the run if the project selects it", async () => {
    const chosen = { includes: ["X-One", "my-*"], excludes: ["my-b"] };
    expect(await told("telling", { http: { configurable_headers: chosen } })).toBe("x-one,my-a");
  });
});
