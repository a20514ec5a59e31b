import { agentFiles } from "../../emulator/rollout/agents";
import { AgentWorld } from "../agent-world";

const graph = `
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
const State = Annotation.Root({ topic: Annotation<string> });
const Context = Annotation.Root({ style: Annotation<"brief" | "long">, words: Annotation<number> });
export const graph = new StateGraph(State, Context)
  .addNode("write", async () => ({ topic: "done" }))
  .addEdge(START, "write")
  .addEdge("write", END)
  .compile();
`;

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start(agentFiles(graph));
  // The first request for the schemas compiles the graph's types.
  const [own] = await world.ask<{ assistant_id: string }[]>("POST", "/assistants/search", {});
  await world.ask("GET", `/assistants/${own!.assistant_id}/schemas`);
}, 120_000);
beforeEach(() => world.forget());

const warningsFor = async (change: object) => {
  await world.stack("assistant").check({ ...world.deployment, graph: "agent", ...change });
  return world.log.lines("warning");
};

test("warns in a preview about values that the schema of the graph does not accept", async () => {
  expect(await warningsFor({ config: { configurable: { style: "brief", words: "many" } } })).toEqual([
    expect.stringMatching(/^config\.configurable\.words: does not match the schema of the graph: /),
  ]);
});

test("does not warn about values that the schema accepts", async () => {
  expect(await warningsFor({ config: { configurable: { style: "brief", words: 7 } } })).toEqual([]);
});
