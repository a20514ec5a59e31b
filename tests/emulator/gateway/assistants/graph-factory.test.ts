import { type ControlPlane, startControlPlane } from "../../../../emulator/index";
import type { Assistant, Thread } from "../../answers";
import { Client } from "../../control-plane/client";
import { agentFiles } from "../../rollout/agents";
import { Repository, temporaryFolder } from "../../rollout/repository";
import { saying } from "../agent";
import { deploy } from "../deployment";

const factory = `
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
const plain = new StateGraph(MessagesAnnotation)
  .addNode("a", async () => ({ messages: [] })).addEdge("__start__", "a").compile();
export const graph = async (config) => {
  if (config?.configurable?.model === "none") throw new Error("There is no model to ask.");
  return plain;
};
`;

const refusal = {
  status: 422,
  body: { detail: 'The graph "agent" cannot be created: There is no model to ask.' },
};

let plane: ControlPlane;
let client: Client;
let broken: string;
beforeAll(async () => {
  plane = await startControlPlane({ rollout: "real", state: temporaryFolder("state") });
  const url = await deploy(plane, new Repository(agentFiles(factory)));
  client = new Client(url, { "X-Api-Key": plane.apiKey });
  const body = { graph_id: "agent", config: { configurable: { model: "none" } } };
  broken = (await client.post<Assistant>("/assistants", body)).body.assistant_id;
});
afterAll(() => plane.close());

test.each(["/graph", "/subgraphs", "/subgraphs/a"])(
  "returns an error with the reason at %s if the project cannot create the graph",
  async (path) => {
    expect(await client.get(`/assistants/${broken}${path}`)).toMatchObject(refusal);
  },
);

test("returns an error when the state of a thread is read if its graph cannot be created", async () => {
  const { thread_id: id } = (await client.post<Thread>("/threads", {})).body;
  await client.post(`/threads/${id}/runs/wait`, saying("hi", { assistant_id: broken }));
  expect(await client.get(`/threads/${id}/state`)).toMatchObject(refusal);
  expect(await client.get(`/threads/${id}/history`)).toMatchObject(refusal);
});
