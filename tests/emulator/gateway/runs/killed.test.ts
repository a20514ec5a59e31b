import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Assistant, Run, StoreItem, Thread, ThreadState, Values } from "../../answers";
import { agentFiles } from "../../rollout/agents";
import { processesIn } from "../../rollout/processes";
import { Repository, temporaryFolder } from "../../rollout/repository";
import { type ControlPlane, startControlPlane } from "../../../../emulator/index";
import { Client } from "../../control-plane/client";
import { saying } from "../agent";
import { deploy, until } from "../deployment";

/** Source of an agent that kills its own process on request, and appends a letter to the specified file. */
const mortal = `
import { appendFileSync } from "node:fs";
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("answer", async ({ messages }) => {
    const [verb, file] = String(messages.at(-1)?.content).split(" ");
    if (verb === "die") {
      appendFileSync(file, "x");
      process.kill(process.pid, "SIGKILL");
    }
    return { messages: [new AIMessage("alive")] };
  })
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
`;

const state = temporaryFolder("state");
let plane: ControlPlane;
let client: Client;
beforeAll(async () => {
  plane = await startControlPlane({ rollout: "real", state });
  const url = await deploy(plane, new Repository(agentFiles(mortal)));
  client = new Client(url, { "X-Api-Key": plane.apiKey });
});
afterAll(() => plane.close());

const newThread = async (): Promise<string> => (await client.post<Thread>("/threads")).body.thread_id;

test("ends a run that kills its agent process, without repeating the run", async () => {
  const thread = await newThread();
  const path = `/threads/${thread}`;
  const deaths = join(temporaryFolder("deaths"), "deaths");
  // After this run, the next one starts without delay.
  await client.post("/runs/wait", saying("hi"));
  const { run_id: run } = (await client.post<Run>(`${path}/runs`, saying(`die ${deaths}`))).body;
  await until(
    () => client.get<Run>(`${path}/runs/${run}`),
    ({ status, body }) => status === 200 && body.status === "error",
    30_000,
  );
  expect(readFileSync(deaths, "utf8")).toBe("x");
  expect((await client.get<Thread>(path)).body.status).toBe("error");
  const { body } = await client.post<Values>(`${path}/runs/wait`, saying("hi"));
  expect(body.messages.at(-1)!.content).toBe("alive");
  expect((await client.get<Thread>(path)).body.status).toBe("idle");
});

test("keeps acknowledged data after the agent is killed", async () => {
  const items: string[] = [];
  const threads: string[] = [];
  const names: [assistant: string, name: string][] = [];
  const values: [thread: string, content: string][] = [];
  const runs: [thread: string, run: string][] = [];
  let over = false;
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; !over; round++) {
      const key = `${writer}-${round}`;
      const put = await client.send("PUT", "/store/items", { namespace: ["kept"], key, value: { key } });
      if (put.status === 204) items.push(key);
      const made = await client.post<Thread>("/threads", { metadata: { graph_id: "agent" } });
      if (made.status !== 200) continue;
      const thread = made.body.thread_id;
      threads.push(thread);
      const assistant = await client.post<Assistant>("/assistants", { graph_id: "agent", name: key });
      if (assistant.status === 200) names.push([assistant.body.assistant_id, key]);
      const change = { values: { messages: [{ role: "user", content: key }] } };
      if ((await client.post(`/threads/${thread}/state`, change)).status === 200) values.push([thread, key]);
      const run = await client.post<Run>(`/threads/${thread}/runs`, saying("hi", { after_seconds: 3600 }));
      if (run.status === 200) runs.push([thread, run.body.run_id]);
    }
  };
  const writers = [1, 2, 3, 4, 5].map(write);
  await until(
    () => client.get("/ok"),
    () => runs.length >= 25,
  );
  for (const pid of processesIn(state)) process.kill(pid, "SIGKILL");
  over = true;
  await Promise.all(writers);
  await until(
    () => client.get("/ok"),
    ({ status }) => status === 200,
  );
  for (const key of items)
    expect((await client.get<StoreItem>(`/store/items?namespace=kept&key=${key}`)).body?.value).toEqual({
      key,
    });
  for (const thread of threads) expect((await client.get(`/threads/${thread}`)).status).toBe(200);
  for (const [assistant, name] of names)
    expect((await client.get<Assistant>(`/assistants/${assistant}`)).body.name).toBe(name);
  for (const [thread, content] of values)
    expect((await client.get<ThreadState>(`/threads/${thread}/state`)).body.values.messages[0]!.content).toBe(
      content,
    );
  for (const [thread, run] of runs)
    expect((await client.get(`/threads/${thread}/runs/${run}`)).status).toBe(200);
});
