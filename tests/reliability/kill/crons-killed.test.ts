import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cron, Run, Thread } from "../../emulator/answers";
import { Client } from "../../emulator/control-plane/client";
import { saying } from "../../emulator/gateway/agent";
import { deploy, type Served, until } from "../../emulator/gateway/deployment";
import { agentFiles } from "../../emulator/rollout/agents";
import { eventually } from "../../emulator/rollout/processes";
import { pythonFiles } from "../../emulator/rollout/runtimes/python/agents";
import { describeWithPython } from "../../emulator/rollout/runtimes/python/available";
import { Repository, temporaryFolder } from "../../emulator/rollout/repository";
import { isLongRun, recordFigures } from "../figures";
import type { CronPlaneJob, Kill } from "./cron-plane";

jest.setTimeout(isLongRun ? 3_600_000 : 600_000);

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);

/** Source of a graph that appends the cron, the due time, and the run to the file specified in the message. */
const javascript = agentFiles(`
import { appendFileSync } from "node:fs";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("note", async ({ messages }, { configurable, metadata }) => {
    const line = [configurable.cron_id, metadata.cron_due_at, configurable.run_id].join(" ");
    appendFileSync(String(messages.at(-1).content), line + "\\n");
    return { messages: [] };
  })
  .addEdge("__start__", "note")
  .compile();
`);
const python = pythonFiles(`
from langgraph.graph import START, MessagesState, StateGraph

def note(state, config):
    values = config["configurable"]
    with open(state["messages"][-1].content, "a") as file:
        file.write(f"{values['cron_id']} {config['metadata']['cron_due_at']} {values['run_id']}\\n")
    return {"messages": []}

graph = StateGraph(MessagesState).add_node("note", note).add_edge(START, "note").compile()
`);

const plane = (moment: Kill["moment"], after = 0): Kill => ({
  victim: "control plane",
  moment,
  after,
  occurrence: 1,
});
const some: Kill[] = [
  plane("recording"),
  plane("recorded"),
  plane("sending"),
  plane("sent"),
  plane("sent", 3),
  plane("sent", 20),
  plane("answered"),
  plane("removed"),
  { ...plane("sent", 5), victim: "agent" },
  { ...plane("answered"), victim: "agent" },
];
const moments: Kill["moment"][] = ["recording", "recorded", "sending", "sent", "answered", "removed"];
/** Kills of both processes at every step of starting three runs, each immediately and after two different delays. */
const many: Kill[] = (["control plane", "agent"] as const).flatMap((victim) =>
  moments.flatMap((moment) =>
    [1, 2, 3].flatMap((occurrence) =>
      [0, 4, 30].map((after) => ({
        victim,
        moment,
        after,
        occurrence: moment === "recorded" ? 1 : occurrence,
      })),
    ),
  ),
);

/** A control plane in a separate process that can be killed and restarted. */
class KillablePlane {
  #child?: ChildProcess;
  #printed = "";

  constructor(
    private readonly state: string,
    private now: number,
  ) {}

  async start(): Promise<Served> {
    const job: CronPlaneJob = { state: this.state, apiKey: "key", now: this.now };
    this.#printed = "";
    this.#child = spawn(
      process.execPath,
      ["--import", "tsx", join(__dirname, "cron-plane.ts"), JSON.stringify(job)],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    this.#child.stdout!.on("data", (chunk: Buffer) => (this.#printed += chunk.toString()));
    const served = () => /^serving (.*)$/m.exec(this.#printed)?.[1];
    await eventually(() => served() !== undefined, "the control plane serves");
    return JSON.parse(served()!) as Served;
  }

  /**
   * Advances time to the next hour, and waits until the specified process has been killed. Restarts the control plane
   * if it was killed.
   */
  async endure(kill: Kill): Promise<void> {
    const child = this.#child!;
    this.now += hour;
    const ended = once(child, "exit");
    child.stdin!.write(`${JSON.stringify(kill)}\n`);
    if (kill.victim === "agent")
      return eventually(() => this.#printed.split("killed").length > 1, "the agent is killed");
    await ended;
    await this.start();
  }

  /** Resets the record of killed agents. */
  forget(): void {
    this.#printed = "";
  }

  stop(): void {
    this.#child?.kill("SIGKILL");
  }
}

const planes: KillablePlane[] = [];
afterAll(() => planes.forEach((killable) => killable.stop()));

/** Runs three crons each hour while a process is killed, and checks their runs. Returns the figures. */
async function runWithKills(files: Record<string, string>, kills: Kill[]): Promise<Record<string, number>> {
  const file = join(temporaryFolder("runs"), "runs");
  const killable = new KillablePlane(temporaryFolder("state"), start + 1000);
  planes.push(killable);
  const served = await killable.start();
  const client = new Client(await deploy(served, new Repository(files)), { "X-Api-Key": served.apiKey });
  const thread = (await client.post<Thread>("/threads")).body.thread_id;
  const body = saying(file, { schedule: "0 * * * *" });
  const create = async (path: string, more: object = {}) =>
    (await client.post<Cron>(path, { ...body, ...more })).body.cron_id;
  await create(`/threads/${thread}/runs/crons`);
  const kept = await create("/runs/crons", { on_run_completed: "keep" });
  await create("/runs/crons", { on_run_completed: "delete" });

  const dueOf = ({ metadata }: { metadata: object }) =>
    String((metadata as { cron_due_at?: string }).cron_due_at);
  const runsOnThread = async () =>
    (await client.get<Run[]>(`/threads/${thread}/runs?limit=1000`)).body.map(dueOf);
  const threads = async () =>
    (await client.post<Thread[]>("/threads/search", { metadata: { cron_id: kept }, limit: 1000 })).body;
  const threadsKept = async () => (await threads()).map(dueOf);
  const notes = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);

  const expected: string[] = [];
  for (const kill of kills) {
    killable.forget();
    await killable.endure(kill);
    const due = new Date(start + (expected.length + 1) * hour).toISOString();
    expected.push(due);
    await until(
      () => client.get("/ok"),
      ({ status }) => status === 200,
    );
    await until(
      async () => ({
        status: 200,
        headers: new Headers(),
        body: [await runsOnThread(), await threadsKept()],
      }),
      ({ body }) => body.every((dues) => dues.includes(due)),
    );
  }
  // A duplicate run would appear together with the following runs.
  await until(
    () => client.get<Run[]>(`/threads/${thread}/runs?limit=1000`),
    ({ body }) => body.every(({ status }) => status !== "pending" && status !== "running"),
  );
  expect((await runsOnThread()).sort()).toEqual(expected);
  expect((await threadsKept()).sort()).toEqual(expected);
  const runs = new Set(notes());
  const dues = new Set([...runs].map((line) => line.split(" ").slice(0, 2).join(" ")));
  expect([...runs].filter((line) => line.startsWith("undefined"))).toEqual([]);
  expect(runs.size).toBe(dues.size);
  return {
    kills: kills.length,
    "due times": expected.length * 3,
    "due times with two runs": runs.size - dues.size,
  };
}

test("starts one run for each due time when the control plane or the agent is killed", async () => {
  const figures = await runWithKills(javascript, isLongRun ? many : some);
  recordFigures("crons-killed", figures);
});

describeWithPython("tests/reliability/kill/crons-killed.test.ts")("Python agent", () => {
  test("starts one run of a Python agent for each due time when either process is killed", async () => {
    const figures = await runWithKills(python, isLongRun ? many : some.slice(3, 7));
    recordFigures("crons-killed-python", figures);
  });
});
