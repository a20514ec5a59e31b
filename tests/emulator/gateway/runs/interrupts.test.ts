import type { Client } from "@langchain/langgraph-sdk";
import { agentFiles } from "../../rollout/agents";
import { Client as HttpClient } from "../../control-plane/client";
import { pythonFiles } from "../../rollout/runtimes/python/agents";
import { describeWithPython } from "../../rollout/runtimes/python/available";
import { Repository } from "../../rollout/repository";
import { deploy, type Running, runDeployment } from "../deployment";
import { officialClient } from "../walk";

/** Source of a graph whose subgraph interrupts the run with a question. */
const nested = `
import { Annotation, interrupt, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ topic: Annotation<string>() });
const inner = new StateGraph(State)
  .addNode("ask", ({ topic }) => ({ topic: interrupt("more on " + topic + "?") }))
  .addEdge(START, "ask")
  .compile();
export const graph = new StateGraph(State).addNode("child", inner).addEdge(START, "child").compile();
`;

const parallel = `
import { Annotation, interrupt, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ topic: Annotation<string>(), a: Annotation<string>(), b: Annotation<string>() });
export const graph = new StateGraph(State)
  .addNode("first", ({ topic }) => ({ a: interrupt("a of " + topic) }))
  .addNode("second", ({ topic }) => ({ b: interrupt("b of " + topic) }))
  .addEdge(START, "first")
  .addEdge(START, "second")
  .compile();
`;
const parallelPython = `
from typing import TypedDict
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

class State(TypedDict, total=False):
    topic: str
    a: str
    b: str

graph = (
    StateGraph(State)
    .add_node("first", lambda state: {"a": interrupt("a of " + state["topic"])})
    .add_node("second", lambda state: {"b": interrupt("b of " + state["topic"])})
    .add_edge(START, "first")
    .add_edge(START, "second")
    .compile()
)
`;

let running: Running;
let client: Client;
let nestedClient: Client;
beforeAll(async () => {
  running = await runDeployment();
  client = officialClient(running.url, running.plane);
  const url = await deploy(running.plane, new Repository(agentFiles(nested)), "nested");
  nestedClient = officialClient(url, running.plane);
});

const input = (content: string) => ({ messages: [{ role: "user", content }] });
const asking = {
  messages: [expect.objectContaining({ content: "ask" })],
  __interrupt__: [{ id: expect.any(String), value: "what?" }],
};

async function collected<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("an interrupted run without a thread", () => {
  test("returns its question, and leaves no thread", async () => {
    const before = await client.threads.count();
    expect(await client.runs.wait(null, "agent", { input: input("ask") })).toEqual(asking);
    expect(await client.threads.count()).toBe(before);
  });

  test("streams its question as the last event", async () => {
    const events = await collected(client.runs.stream(null, "agent", { input: input("ask") }));
    expect(events.map(({ event }) => event)).toEqual(["metadata", "values", "values", "values"]);
    expect(events.at(-1)!.data).toEqual(asking);
  });

  test("returns the interrupt as the result of an MCP tool", async () => {
    const params = { name: "agent", arguments: input("ask") };
    const accept = { accept: "application/json, text/event-stream" };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const { body } = await running.client.send<{ result: { isError: boolean; content: { text: string }[] } }>(
      "POST",
      "/mcp/",
      call,
      accept,
    );
    expect(body.result.isError).toBe(false);
    expect(JSON.parse(body.result.content[0]!.text)).toEqual(asking);
  });
});

test("returns an unanswered interrupt with the state to callers that wait for or join the run", async () => {
  const { thread_id: thread } = await client.threads.create();
  expect(await client.runs.wait(thread, "agent", { input: input("ask") })).toEqual(asking);
  const [run] = await client.runs.list(thread);
  expect(await client.runs.join(thread, run!.run_id)).toEqual(asking);
  const task = expect.objectContaining({ interrupts: asking.__interrupt__, error: null });
  expect(await client.threads.getState(thread)).toMatchObject({
    tasks: [task],
    interrupts: asking.__interrupt__,
  });
  const answered = await client.runs.wait(thread, "agent", { command: { resume: "this" } });
  expect(answered).toEqual({
    messages: [expect.anything(), expect.objectContaining({ content: "told this" })],
  });
  expect(await client.threads.getState(thread)).toMatchObject({ interrupts: [] });
});

test.each([
  ["before a node", { interruptBefore: ["answer"] }],
  ["after a node", { interruptAfter: ["hear"] }],
  ["before every node", { interruptBefore: "*" as const }],
])("returns the state without an interrupt if a run stops %s", async (_, stop) => {
  const { thread_id: thread } = await client.threads.create();
  const state = { messages: [expect.objectContaining({ content: "hi" })] };
  expect(await client.runs.wait(thread, "agent", { input: input("hi"), ...stop })).toEqual(state);
  expect(await client.threads.get(thread)).toMatchObject({ status: "interrupted", interrupts: {} });
  const alone = await collected(client.runs.stream(null, "agent", { input: input("hi"), ...stop }));
  expect(alone.at(-1)).toMatchObject({ event: "values", data: state });
});

test("streams the interrupt in the states of subgraphs if requested, without other events", async () => {
  const { thread_id: thread } = await nestedClient.threads.create();
  const question = { topic: "tea", __interrupt__: [{ id: expect.any(String), value: "more on tea?" }] };
  const options = { input: { topic: "tea" }, streamSubgraphs: true, streamMode: "values" as const };
  const events = await collected(nestedClient.runs.stream(thread, "agent", options));
  expect(events.map(({ event }) => event.split(":")[0])).toEqual([
    "metadata",
    "values",
    "values|child",
    "values|child",
    "values",
  ]);
  expect(events.slice(-2).map(({ data }) => data as unknown)).toEqual([question, question]);
  expect(await nestedClient.runs.wait(thread, "agent", { input: null })).toEqual(question);
});

test("streams checkpoints if requested", async () => {
  const options = { input: input("hi"), streamMode: "checkpoints" as const };
  const events = await collected(client.runs.stream(null, "agent", options));
  expect(events.at(-1)).toMatchObject({ event: "checkpoints", data: { next: [] } });
});

describe.each([
  ["JavaScript", agentFiles(parallel), { topic: "tea" }],
  ["Python", pythonFiles(parallelPython), {}],
])("a run of a %s agent with two simultaneous interrupts", (language, files, values) => {
  const both = ["a of tea", "b of tea"].map((value) => expect.objectContaining({ value }));
  const questions = { ...values, __interrupt__: both };
  const run =
    language === "Python" ? describeWithPython("tests/emulator/gateway/runs/interrupts.test.ts") : describe;

  run("with their deployment", () => {
    let asked: Client;
    let url: string;
    beforeAll(async () => {
      url = await deploy(running.plane, new Repository(files), `parallel-${language.toLowerCase()}`);
      asked = officialClient(url, running.plane);
    });

    test("returns both interrupts to callers that wait for or join the run", async () => {
      const { thread_id: thread } = await asked.threads.create();
      expect(await asked.runs.wait(thread, "agent", { input: { topic: "tea" } })).toEqual(questions);
      const [first] = await asked.runs.list(thread);
      expect(await asked.runs.join(thread, first!.run_id)).toEqual(questions);
      expect(await asked.runs.wait(null, "agent", { input: { topic: "tea" } })).toEqual(questions);
    });

    test("returns both interrupts as the result of an MCP tool", async () => {
      const params = { name: "agent", arguments: { topic: "tea" } };
      const { body } = await new HttpClient(url, { "X-Api-Key": running.plane.apiKey }).send<{
        result: { content: { text: string }[] };
      }>(
        "POST",
        "/mcp/",
        { jsonrpc: "2.0", id: 1, method: "tools/call", params },
        { accept: "application/json, text/event-stream" },
      );
      expect(JSON.parse(body.result.content[0]!.text)).toEqual(questions);
    });

    test("reports the remaining interrupt after the other one is answered", async () => {
      const { thread_id: thread } = await asked.threads.create();
      await asked.runs.wait(thread, "agent", { input: { topic: "tea" } });
      const { interrupts } = (await asked.threads.getState(thread)) as unknown as {
        interrupts: { id: string }[];
      };
      const command = { resume: { [interrupts[0]!.id]: "one" } };
      const left = { __interrupt__: [both[1]] };
      expect(await asked.runs.wait(thread, "agent", { command })).toMatchObject(left);
      const [second] = await asked.runs.list(thread);
      expect(await asked.runs.join(thread, second!.run_id)).toMatchObject(left);
      expect(await asked.threads.getState(thread)).toMatchObject({ interrupts: [both[1]] });
      expect(await asked.threads.get(thread)).toMatchObject({ status: "interrupted" });
      const other = { resume: { [interrupts[1]!.id]: "two" } };
      expect(await asked.runs.wait(thread, "agent", { command: other })).toEqual({
        topic: "tea",
        a: "one",
        b: "two",
      });
    });
  });
});
