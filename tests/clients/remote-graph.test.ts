import {
  Command,
  type CompiledGraph,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { RemoteGraph } from "@langchain/langgraph/remote";
import { runDeployment } from "../emulator/gateway/deployment";
import { expectOperations, record } from "./recording";

/** Members that do not send requests to the agent server, with the reasons. */
const exceptions: Readonly<Record<string, string>> = {
  withConfig: "makes another RemoteGraph, without a request",
  getGraph: "deprecated, only throws: the graph cannot be returned synchronously",
  getSubgraphs: "deprecated, only throws: the graphs cannot be had without waiting",
};

const called = new Set<string>();
let whole: RemoteGraph;
let remote: RemoteGraph;
let recorded: () => string[];
beforeAll(async () => {
  const { url, plane } = await runDeployment();
  recorded = record();
  whole = new RemoteGraph({ graphId: "agent", url, apiKey: plane.apiKey });
  remote = new Proxy(whole, {
    get(target, key) {
      called.add(String(key));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
});

const saying = (content: string) => ({ messages: [{ role: "user", content }] });
const newThread = () => ({ configurable: { thread_id: crypto.randomUUID() } });
const contents = (values: unknown) =>
  (values as { messages: { content: string }[] }).messages.map(({ content }) => content);

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const seen: Item[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

test("invokes and streams a graph with and without a thread", async () => {
  expect(contents(await remote.invoke(saying("alone")))).toEqual(["alone", "heard alone"]);
  const thread = newThread();
  expect(contents(await remote.invoke(saying("first"), thread))).toEqual(["first", "heard first"]);
  const updates = await all(await remote.stream(saying("s"), { ...thread, streamMode: "updates" }));
  expect(updates.map((update) => Object.keys(update as object))).toEqual([["hear"], ["answer"]]);
  const modes = await all(await remote.stream(saying("s"), { ...thread, streamMode: ["values", "updates"] }));
  expect(new Set(modes.map(([mode]: [string]) => mode))).toEqual(new Set(["values", "updates"]));
  await expect(remote.invoke(saying("fail"), thread)).rejects.toThrow("asked to fail");
});

test("streams events with the newer protocol", async () => {
  const run = await remote.streamEvents(saying("newly"), { ...newThread(), version: "v3" });
  expect(contents(await run.output)).toEqual(["newly", "heard newly"]);
  await run.thread.close();
});

test("reads, lists, and updates the state of a thread", async () => {
  const thread = newThread();
  await remote.invoke(saying("first"), thread);
  const state = await remote.getState(thread);
  expect(contents(state.values)).toEqual(["first", "heard first"]);
  expect(state.next).toEqual([]);
  const history = await all(remote.getStateHistory(thread, { limit: 100 }));
  expect(history.length).toBeGreaterThan(2);
  expect(history[0]!.config).toEqual(state.config);
  const earliest = history.at(-1)!;
  expect((await remote.getState(earliest.config)).config).toEqual(earliest.config);
  const changed = await remote.updateState(thread, saying("by hand"), "answer");
  expect(contents((await remote.getState(changed)).values).at(-1)).toBe("by hand");
});

test("returns a description of the graph", async () => {
  expect(Object.keys((await remote.getGraphAsync({ xray: true })).nodes)).toContain("answer");
  expect(await all(remote.getSubgraphsAsync())).toEqual([]);
});

test("resumes a graph with the response to its question", async () => {
  const thread = newThread();
  await expect(remote.invoke(saying("ask"), thread)).rejects.toMatchObject({
    name: "GraphInterrupt",
    interrupts: [{ value: "what?" }],
  });
  const { next, tasks } = await remote.getState(thread);
  const questions = tasks.flatMap(({ interrupts }) => interrupts.map(({ value }): unknown => value));
  expect([next, questions]).toEqual([["answer"], ["what?"]]);
  const told: unknown = await remote.invoke(new Command({ resume: "forty-two" }), thread);
  expect(contents(told).at(-1)).toBe("told forty-two");
});

test("runs as a node of a local graph, and interrupts that graph with a question", async () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("child", whole as unknown as CompiledGraph<string>)
    .addEdge(START, "child")
    .compile({ checkpointer: new MemorySaver() });
  expect(contents(await graph.invoke(saying("hi"), newThread()))).toEqual(["hi", "heard hi"]);
  const options = { ...newThread(), streamMode: "updates" as const, subgraphs: true };
  const chunks = (await all(await graph.stream(saying("hi"), options))) as unknown as [string[], object][];
  expect(chunks.flatMap(([, update]) => Object.keys(update))).toEqual(["hear", "answer", "child"]);
  const thread = newThread();
  expect(await graph.invoke(saying("ask"), thread)).toMatchObject({ __interrupt__: [{ value: "what?" }] });
  expect((await graph.getState(thread)).next).toEqual(["child"]);
});

test("uses every method, and calls the operations listed in docs/coverage.md", async () => {
  const methods = Object.getOwnPropertyNames(RemoteGraph.prototype).filter(
    (name) => !name.startsWith("_") && name !== "constructor",
  );
  expect(methods.filter((name) => !called.has(name) && !(name in exceptions))).toEqual([]);
  await expectOperations("RemoteGraph JS", recorded());
});
