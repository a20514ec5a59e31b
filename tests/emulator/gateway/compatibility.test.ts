import type { Thread } from "../answers";
import { agentFiles } from "../rollout/agents";
import { pythonFiles } from "../rollout/runtimes/python/agents";
import { describeWithPython } from "../rollout/runtimes/python/available";
import { type Running, runDeployment, until } from "./deployment";

const javascript = agentFiles(`
import { Annotation, START, StateGraph } from "@langchain/langgraph";

const log = Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] });
export const graph = new StateGraph(Annotation.Root({ log }))
  .addNode("first", () => ({ log: ["first"] }), { ends: ["second"] })
  .addNode("second", ({ log }) => ({ log: ["second after " + log.at(-1)] }))
  .addEdge(START, "first")
  .compile();
`);
const python = pythonFiles(`
import operator
from typing import Annotated, TypedDict
from langgraph.graph import START, StateGraph

class State(TypedDict, total=False):
    log: Annotated[list, operator.add]

graph = (
    StateGraph(State)
    .add_node("first", lambda state: {"log": ["first"]})
    .add_node("second", lambda state: {"log": ["second after " + state["log"][-1]]})
    .add_edge(START, "first")
    .compile()
)
`);

interface State {
  log: string[];
}
interface HistoryState {
  checkpoint: { checkpoint_id: string };
}

describe("a JavaScript agent", () => compatible(javascript));
describeWithPython("tests/emulator/gateway/compatibility.test.ts")("a Python agent", () =>
  compatible(python),
);

function compatible(files: Record<string, string>): void {
  let running: Running;
  beforeAll(async () => {
    running = await runDeployment({}, files);
  });
  const post = <Body>(path: string, body: object) => running.client.post<Body>(path, body);
  const newThread = async (more: object = {}) => (await post<Thread>("/threads", more)).body.thread_id;
  const run = (more: object) => ({ assistant_id: "agent", ...more });

  test.each([
    ["one node", { node: "second", input: { log: ["x"] } }, ["second after x"]],
    [
      "several nodes",
      [
        { node: "second", input: { log: ["x"] } },
        { node: "second", input: { log: ["y"] } },
      ],
      ["second after x", "second after y"],
    ],
    ["a name without an input", "second", ["second after first"]],
  ])("starts at the nodes and with the inputs that a command specifies: %s", async (_name, goto, said) => {
    const thread = await newThread();
    await post(`/threads/${thread}/runs/wait`, run({ input: { log: [] } }));
    const { body } = await post<State>(`/threads/${thread}/runs/wait`, run({ command: { goto } }));
    expect(body).toEqual({ log: ["first", ...said] });
  });

  test.each([
    ["a node without its input", { goto: { node: "second" } }],
    ["names and inputs in one list", { goto: ["second", { node: "second", input: {} }] }],
    ["a number", { goto: 5 }],
    ["an update that is text", { update: "x" }],
  ])("rejects a command with %s, as the public server does", async (_name, command) => {
    const thread = await newThread();
    expect(await post(`/threads/${thread}/runs/wait`, run({ command }))).toMatchObject({ status: 422 });
  });

  test("copies the context to the configuration and vice versa, and rejects both together", async () => {
    const created = async (more: object) =>
      (await post<{ kwargs: object }>("/runs", run({ input: { log: [] }, ...more }))).body.kwargs;
    const both = { context: { style: "brief" }, config: { configurable: { style: "brief" } } };
    expect(await created({ context: both.context })).toMatchObject(both);
    expect(await created({ config: both.config })).toMatchObject(both);
    expect(await post("/runs", run({ input: { log: [] }, ...both }))).toMatchObject({ status: 400 });
    expect(await post("/assistants", { graph_id: "agent", ...both })).toMatchObject({ status: 400 });
  });

  test("returns the history before a checkpoint that is specified in any format", async () => {
    const thread = await newThread();
    await post(`/threads/${thread}/runs/wait`, run({ input: { log: [] } }));
    const history = async (body: object) =>
      (await post<HistoryState[]>(`/threads/${thread}/history`, { limit: 10, ...body })).body;
    const [latest, ...earlier] = await history({});
    expect(earlier.length).toBeGreaterThan(0);
    const checkpoint = latest!.checkpoint;
    const { checkpoint_id } = checkpoint;
    for (const before of [
      checkpoint_id,
      { checkpoint_id },
      checkpoint,
      { configurable: { checkpoint_id } },
      { configurable: checkpoint },
    ])
      expect(await history({ before })).toEqual(earlier);
    for (const before of [checkpoint_id, JSON.stringify({ configurable: { checkpoint_id } })]) {
      const query = `limit=10&before=${encodeURIComponent(before)}`;
      const { body } = await running.client.get<HistoryState[]>(`/threads/${thread}/history?${query}`);
      expect(body).toEqual(earlier);
    }
  });

  describe("store filters", () => {
    const items = {
      plain: { text: "a", size: 2, tags: ["x", "y"], nested: { deep: { value: 1, more: 2 } } },
      empty: { text: null, tags: [] },
      other: { text: "b", size: 10, nested: { deep: { value: 2 } } },
    };
    beforeAll(async () => {
      for (const [key, value] of Object.entries(items))
        await running.client.send("PUT", "/store/items", { namespace: ["filtered"], key, value });
    });
    const search = (filter: object) =>
      post<{ items: { key: string }[] }>("/store/items/search", { namespace_prefix: ["filtered"], filter });

    test.each<[object, string[]]>([
      [{ text: "a" }, ["plain"]],
      [{ text: null }, ["empty"]],
      [{ size: null }, ["empty"]],
      [{ tags: ["x", "y"] }, ["plain"]],
      [{ tags: ["x"] }, []],
      [{ tags: [] }, ["empty"]],
      [{ nested: { deep: { value: 1 } } }, ["plain"]],
      [{ nested: { deep: { value: { $gt: 1 } } } }, ["other"]],
      [{ nested: {} }, ["other", "plain"]],
      [{ size: { $gte: 2, $lt: 10 } }, ["plain"]],
      [{ size: { $ne: 2 } }, ["empty", "other"]],
      [{ tags: { $eq: ["x", "y"] } }, ["plain"]],
    ])("finds items that match %j", async (filter, keys) => {
      expect((await search(filter)).body.items.map(({ key }) => key).sort()).toEqual(keys);
    });

    test.each([
      { size: { $in: [1] } },
      { nested: { deep: { $exists: true } } },
      { size: { $gt: 1, plain: 1 } },
    ])("rejects the unknown operator: %j", async (filter) => {
      expect(await search(filter)).toMatchObject({ status: 400, body: { detail: /operator/ } });
    });
  });

  test("sorts threads by the time of the last change to their state", async () => {
    const metadata = { sorted: "by state" };
    const [first, second] = [await newThread({ metadata }), await newThread({ metadata })];
    await post(`/threads/${first}/runs/wait`, run({ input: { log: [] } }));
    const sorted = async (sort_order: string) =>
      (
        await post<Thread[]>("/threads/search", { metadata, sort_by: "state_updated_at", sort_order })
      ).body.map(({ thread_id }) => thread_id);
    expect(await sorted("desc")).toEqual([first, second]);
    expect(await sorted("asc")).toEqual([second, first]);
  });

  test("returns all fields if the selection is empty", async () => {
    await newThread();
    await post("/runs/crons", run({ schedule: "@yearly", input: { log: [] } }));
    for (const path of ["/threads/search", "/assistants/search", "/runs/crons/search"]) {
      const [all, none] = [await post<object[]>(path, {}), await post<object[]>(path, { select: [] })];
      expect(all.body.length).toBeGreaterThan(0);
      expect(none.body).toEqual(all.body);
    }
  });

  test.each(["ftp://example.com/hook", "mailto:a@example.com", "file:///etc/passwd", "hook"])(
    "rejects the webhook %s",
    async (webhook) => {
      for (const path of ["/runs", `/threads/${await newThread()}/runs`])
        expect(await post(path, run({ input: { log: [] }, webhook }))).toMatchObject({ status: 422 });
      expect(
        await post("/runs/crons", run({ schedule: "@yearly", input: { log: [] }, webhook })),
      ).toMatchObject({ status: 422 });
    },
  );

  test("accepts the documented multitask strategies for runs without a thread", async () => {
    const created = (more: object = {}) => post("/runs", run({ input: { log: [] }, ...more }));
    expect((await created()).body).toMatchObject({ multitask_strategy: "enqueue" });
    expect((await created({ multitask_strategy: "rollback" })).body).toMatchObject({
      multitask_strategy: "rollback",
    });
    expect(await created({ multitask_strategy: "other" })).toMatchObject({ status: 422 });
  });

  test.each(["stream_modes=run_modes,state_update", "stream_modes=state_update&stream_modes=run_modes"])(
    "streams the events of a thread in several modes: %s",
    async (query) => {
      const thread = await newThread();
      await post(`/threads/${thread}/runs/wait`, run({ input: { log: [] } }));
      const left = new AbortController();
      const answer = await fetch(`${running.url}/threads/${thread}/stream?${query}`, {
        headers: { "x-api-key": running.plane.apiKey },
        signal: left.signal,
      });
      expect(answer.status).toBe(200);
      let text = "";
      const reading = (async () => {
        for await (const part of answer.body!) text += Buffer.from(part as Uint8Array).toString();
      })().catch(() => undefined);
      await post(`/threads/${thread}/state`, { values: { log: ["by hand"] }, as_node: "first" });
      await post(`/threads/${thread}/runs/wait`, run({ input: { log: [] } }));
      await until(
        () => running.client.get("/ok"),
        () => /^event: values/m.test(text) && /^event: state_update/m.test(text),
      );
      left.abort();
      await reading;
    },
  );

  test("documents the responses to a rejected key for every operation except the health check", async () => {
    const { body } = await running.client.get<{
      paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    }>("/openapi.json");
    const open = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        "401" in responses && "403" in responses ? [] : [`${method} ${path}`],
      ),
    );
    expect(open).toEqual(["get /ok"]);
  });

  const updated = (update: object, graph: unknown = "agent") => ({
    metadata: { graph_id: graph, of: "unusual" },
    supersteps: [{ updates: [update] }],
  });
  test.each<[string, object, number]>([
    ["a node that does not exist", updated({ as_node: "none", values: { log: [] } }), 400],
    ["a graph that does not exist", updated({ as_node: "first", values: { log: [] } }, "none"), 404],
    ["a graph that is not a string", updated({ as_node: "first", values: { log: [] } }, 5), 404],
    ["a state that is not an object", updated({ as_node: "first", values: [{ a: 1 }] }), 400],
  ])("rejects a thread with %s, and creates none", async (_name, body, status) => {
    const refused = await post("/threads", body);
    expect([400, status]).toContain(refused.status);
    expect((await post("/threads/count", { metadata: { of: "unusual" } })).body).toBe(0);
  });

  test.each([
    ["a value of another type", updated({ as_node: "first", values: { log: 5 } })],
    ["an update of another type", updated({ as_node: "first", command: { update: { log: 5 } } })],
    ["an answer without a question", updated({ as_node: "first", command: { resume: 1 } })],
    ["a list as the graph", updated({ as_node: "first", values: { log: ["a"] } }, ["agent"])],
    [
      "a time to live but no graph",
      { ttl: 5, supersteps: [{ updates: [{ as_node: "first", values: {} }] }] },
    ],
  ])("creates or rejects a thread with %s, without a server error", async (_name, body) => {
    const { status } = await post("/threads", body);
    expect([200, 400]).toContain(status);
  });

  test("counts and finds threads by their values, even if some threads have no values", async () => {
    await newThread();
    const thread = await newThread();
    await post(`/threads/${thread}/runs/wait`, run({ input: { log: ["counted"] } }));
    const values = { log: ["counted", "first"] };
    expect(await post("/threads/count", { values })).toMatchObject({ status: 200, body: 1 });
    expect((await post<Thread[]>("/threads/search", { values })).body).toMatchObject([{ thread_id: thread }]);
    for (const none of [{ log: null }, { other: { a: 1 } }])
      expect(await post("/threads/count", { values: none })).toMatchObject({ status: 200, body: 0 });
  });
}
