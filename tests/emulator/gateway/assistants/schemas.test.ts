import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client as AgentServerClient } from "@langchain/langgraph-sdk";
import { type ControlPlane, startControlPlane } from "../../../../emulator/index";
import { eventually, processesIn } from "../../rollout/processes";
import { agentFiles } from "../../rollout/agents";
import { Repository, temporaryFolder } from "../../rollout/repository";
import { Client } from "../../control-plane/client";
import { versatileAgent } from "../agent";
import { controlPlaneClient, deploy, type Served, until } from "../deployment";

/**
 * Source of a graph with a nested graph. It refers to a library that Node's types require. The name of the library
 * depends on the version of TypeScript.
 */
const nested = `/// <reference lib="esnext.float16" />
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ topic: Annotation<string>, drafts: Annotation<number> });
const step = async () => ({ drafts: 1 });
const review = new StateGraph(State)
  .addNode("read", step).addNode("judge", step)
  .addEdge(START, "read").addEdge("read", "judge").addEdge("judge", END)
  .compile();
const write = new StateGraph(State)
  .addNode("draft", step).addNode("review", review)
  .addEdge(START, "draft").addEdge("draft", "review").addEdge("review", END)
  .compile();
const publish = new StateGraph(State).addNode("print", step).addEdge(START, "print").addEdge("print", END).compile();
export const graph = new StateGraph(State)
  .addNode("write", write).addNode("publish", publish)
  .addEdge(START, "write").addEdge("write", "publish").addEdge("publish", END)
  .compile();
`;

const plain = `
import { Annotation, START, StateGraph } from "@langchain/langgraph";
const State = Annotation.Root({ question: Annotation() });
const make = () => new StateGraph(State).addNode("a", async () => ({})).addEdge(START, "a").compile();
export const graph = make();
export const other = make();
`;

/** Source of a graph file whose export is visible to Node, but not to TypeScript. */
const untold = `
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
const graph = new StateGraph(MessagesAnnotation)
  .addNode("a", async () => ({ messages: [] })).addEdge("__start__", "a").compile();
module.exports = { graph };
`;

const graphs = {
  agent: "./src/agent.ts:graph",
  nested: "./src/nested.ts:graph",
  plain: "./src/plain.mjs:graph",
  other: "./src/plain.mjs:other",
};

const state = temporaryFolder("state");
let plane: ControlPlane;
let url: string;
const start = () => startControlPlane({ rollout: "real", state });
const clientOf = (served: Served) =>
  new AgentServerClient({ apiUrl: url, apiKey: served.apiKey, callerOptions: { maxRetries: 0 } });
const checkouts = () => join(state, "deployments", url.split("/").at(-1)!, "revisions");
const checkout = () => join(checkouts(), readdirSync(checkouts())[0]!, "source");

beforeAll(async () => {
  plane = await start();
  const files = { ...versatileAgent(), "src/nested.ts": nested, "src/plain.mjs": plain };
  url = await deploy(plane, new Repository({ ...files, "langgraph.json": JSON.stringify({ graphs }) }));
});
afterAll(() => plane.close());

test("extracts the schemas of all graphs in a single separate process", async () => {
  const { assistants } = clientOf(plane);
  const before = processesIn(state).length;
  const asked = Promise.all(Object.keys(graphs).map((graph) => assistants.getSchemas(graph)));
  await eventually(() => processesIn(state).length === before + 1, "a process that reads types");
  const found = await asked;
  expect(
    found.map(({ graph_id, input_schema }) => [graph_id, Object.keys(input_schema?.properties ?? {})]),
  ).toEqual([
    ["agent", ["messages"]],
    ["nested", ["topic", "drafts"]],
    ["plain", ["question"]],
    ["other", ["question"]],
  ]);
  expect(found[1]).toMatchObject({
    output_schema: { properties: { topic: { type: "string" }, drafts: { type: "number" } } },
    state_schema: { type: "object" },
  });
  await eventually(() => processesIn(state).length === before, "no process that reads types");
});

test("describes subgraphs with the documented names", async () => {
  const { assistants } = clientOf(plane);
  const properties = { topic: { type: "string" }, drafts: { type: "number" } };
  const schemas = {
    input_schema: expect.objectContaining({ properties }),
    output_schema: expect.objectContaining({ properties }),
    state_schema: expect.objectContaining({ properties }),
    config_schema: expect.any(Object),
    context_schema: expect.any(Object),
  };
  expect(await assistants.getSubgraphs("nested")).toEqual({ write: schemas, publish: schemas });
  expect(Object.keys(await assistants.getSubgraphs("nested", { recurse: true }))).toEqual([
    "write",
    "write|review",
    "publish",
  ]);
  expect(Object.keys(await assistants.getSubgraphs("nested", { namespace: "publish" }))).toEqual(["publish"]);
  expect(await assistants.getSubgraphs("nested", { namespace: "none" })).toEqual({});
});

// The names are those of the public server.
test.each([
  [undefined, ["write", "publish"]],
  [false, ["write", "publish"]],
  [1, ["write:draft", "write:review", "publish:print"]],
  [2, ["write:draft", "write:review:read", "write:review:judge", "publish:print"]],
  [true, ["write:draft", "write:review:read", "write:review:judge", "publish:print"]],
])("includes subgraphs in the drawing of a graph up to the depth xray=%s", async (xray, expected) => {
  const options = xray === undefined ? {} : { xray };
  const { nodes, edges } = await clientOf(plane).assistants.getGraph("nested", options);
  expect(nodes.map(({ id }) => id)).toEqual(["__start__", ...expected, "__end__"]);
  const ends = edges.flatMap(({ source, target }) => [source, target]);
  expect([...new Set(ends)].sort()).toEqual(nodes.map(({ id }) => id).sort());
});

test.each(["0", "-1", "deep", "1.5"])("rejects the depth xray=%s", async (xray) => {
  const client = new Client(url, { "X-Api-Key": plane.apiKey });
  expect((await client.get(`/assistants/nested/graph?xray=${xray}`)).status).toBe(422);
});

test("keeps the schemas of a revision across a restart", async () => {
  const before = await clientOf(plane).assistants.getSchemas("nested");
  const file = join(checkout(), "src/nested.ts");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace("topic: Annotation<string>", "theme: Annotation<string>"),
  );
  await plane.close();
  plane = await start();
  const client = new Client(url, { "X-Api-Key": plane.apiKey });
  const after = await until(
    () => client.get("/assistants/nested/schemas"),
    ({ status }) => status !== 503,
  );
  expect(after).toMatchObject({ status: 200, body: before });
});

test("stops extracting schemas before it responds to a delete request", async () => {
  const gone = await deploy(plane, new Repository(versatileAgent()), "gone");
  const id = gone.split("/").at(-1)!;
  const folder = join(state, "deployments", id);
  const before = processesIn(folder).length;
  const client = new Client(gone, { "X-Api-Key": plane.apiKey });
  const asked = client.get("/assistants/agent/schemas");
  await eventually(() => processesIn(folder).length === before + 1, "a process that reads types");
  expect((await controlPlaneClient(plane).delete(`/v2/deployments/${id}`)).status).toBe(204);
  expect(processesIn(folder)).toEqual([]);
  expect((await asked).status).toBeGreaterThanOrEqual(400);
});

describe("a graph without schemas", () => {
  test("results in an error with the reason, and in a tool that accepts any object", async () => {
    const commonJs = { ...agentFiles(untold), "package.json": "{}" };
    const bad = await deploy(plane, new Repository(commonJs), "untold");
    const client = new Client(bad, { "X-Api-Key": plane.apiKey });
    const refused = await client.get<{ detail: string }>("/assistants/agent/schemas");
    expect(refused).toMatchObject({
      status: 422,
      body: { detail: 'The types of the graph "agent" contain no schemas: Failed to find export "graph"' },
    });
    const listed = await client.send(
      "POST",
      "/mcp/",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { accept: "application/json, text/event-stream" },
    );
    expect(listed.body).toMatchObject({
      result: { tools: [{ name: "agent", inputSchema: { type: "object" } }] },
    });
  });

  test("is reported as unavailable if the extraction exceeds its timeout", async () => {
    const env = { LANGGRAPH_SCHEMA_RESOLVE_TIMEOUT_MS: "1" };
    const hasty = await deploy(
      plane,
      new Repository({ ...versatileAgent(), ...agentFiles(nested, { env }) }),
      "hasty",
    );
    const client = new Client(hasty, { "X-Api-Key": plane.apiKey });
    const refused = {
      status: 503,
      body: {
        detail:
          'The schemas of the graph "agent" are not available yet: reading the types of the graphs took longer than 0.001 s.',
      },
    };
    expect(await client.get("/assistants/agent/schemas")).toMatchObject(refused);
    expect(await client.get("/assistants/agent/schemas")).toMatchObject(refused);
  });
});
