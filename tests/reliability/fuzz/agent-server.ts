import type { Assistant, Cron, Run, Thread } from "../../emulator/answers";
import { startControlPlane } from "../../../emulator/index";
import { saying, versatileAgent } from "../../emulator/gateway/agent";
import { deploy } from "../../emulator/gateway/deployment";
import { Repository, temporaryFolder } from "../../emulator/rollout/repository";
import { Client } from "../../emulator/control-plane/client";
import { published } from "../../published/facts/published";
import { Judge } from "../../published/judge/exchange";
import { exceptions } from "./agent-exceptions";
import { own } from "./agent-requests";
import { Fuzzing } from "./fuzzing";
import type { KnownIds } from "./known-ids";

/** Source of a graph that is created for each run. Creating the graph fails with some configurations. */
const fussy = `
import { graph as plain } from "./agent.ts";
export const graph = async (config) => {
  if (config?.configurable?.model === "none") throw new Error("There is no model to ask.");
  return plain;
};
`;

const secret = "sesame-of-the-deployment";

/** An agent server that receives random requests. */
export interface FuzzedAgent {
  fuzzing: Fuzzing;
  /**
   * Cancels the runs that were started by requests. Checks that the server still responds and has not logged any
   * errors.
   */
  quiet(): Promise<void>;
  /** Does the same as `quiet`, deletes the crons, and checks that a new run has its usual result. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a deployment with two graphs, one of which can only be created with some configurations. */
export async function serveAgent(): Promise<FuzzedAgent> {
  const files = versatileAgent();
  const configuration = JSON.stringify({
    graphs: { agent: "./src/agent.ts:graph", fussy: "./src/fussy.ts:graph" },
  });
  const repository = new Repository({ ...files, "src/fussy.ts": fussy, "langgraph.json": configuration });
  const faults: unknown[] = [];
  const plane = await startControlPlane({
    rollout: "real",
    state: temporaryFolder("state"),
    onFault: (error) => faults.push(error),
  });
  const secrets = [{ name: "MODEL_KEY", value: secret }];
  const base = await deploy(plane, repository, "agent", { secrets });
  const client = new Client(base, { "X-Api-Key": plane.apiKey });
  const fuzzing = new Fuzzing({
    base,
    headers: { "x-api-key": plane.apiKey },
    judge: new Judge(published.agentServer),
    own: new Judge(own),
    exceptions,
    secrets: [plane.apiKey, secret],
    kinds: new Set(["thread_id", "run_id", "cron_id", "assistant_id", "checkpoint_id"]),
    waiting: /\/(wait|join|stream|events|cancel|commands)$|a2a|mcp/,
    plant: (known) => plant(client, known),
  });
  const quiet = async (): Promise<void> => {
    await client.post("/runs/cancel", { status: "all" });
    expect((await client.get("/ok")).body).toEqual({ ok: true });
    expect(faults.splice(0)).toEqual([]);
  };
  const settle = async (): Promise<void> => {
    await quiet();
    const { body: crons } = await client.post<Cron[]>("/runs/crons/search", { limit: 1000 });
    for (const { cron_id } of crons) await client.delete(`/runs/crons/${cron_id}`);
    const answer = await client.post("/runs/wait", saying("well"));
    expect([answer.status, answer.body]).toMatchObject([200, { messages: [{}, { content: "heard well" }] }]);
  };
  return { fuzzing, quiet, settle, close: () => plane.close() };
}

async function plant(client: Client, known: KnownIds): Promise<void> {
  await Promise.all([
    plantRun(client, known, "ask"),
    plantAssistants(client, known),
    plantCron(client, known),
  ]);
  await plantRun(client, known, "hi");
}

async function plantRun(client: Client, known: KnownIds, said: string): Promise<void> {
  const { thread_id: thread } = (await client.post<Thread>("/threads", { metadata: { a: 1 } })).body;
  await client.post(`/threads/${thread}/runs/wait`, saying(said));
  const { body: runs } = await client.get<Run[]>(`/threads/${thread}/runs`);
  const { body: history } = await client.get<{ checkpoint: { checkpoint_id: string } }[]>(
    `/threads/${thread}/history`,
  );
  for (const { checkpoint } of history) known.add("checkpoint_id", checkpoint.checkpoint_id);
  known.add("thread_id", thread);
  known.add("run_id", runs[0]!.run_id);
}

async function plantAssistants(client: Client, known: KnownIds): Promise<void> {
  const unusable = { graph_id: "fussy", config: { configurable: { model: "none" } } };
  for (const body of [unusable, { graph_id: "agent" }]) {
    const { assistant_id: assistant } = (await client.post<Assistant>("/assistants", body)).body;
    known.add("assistant_id", assistant);
  }
}

async function plantCron(client: Client, known: KnownIds): Promise<void> {
  const cron = saying("hi", { schedule: "0 3 1 1 *" });
  known.add("cron_id", (await client.post<Cron>("/runs/crons", cron)).body.cron_id);
  await client.send("PUT", "/store/items", { namespace: ["fuzz"], key: "one", value: { a: 1 } });
}
