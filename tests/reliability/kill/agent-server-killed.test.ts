import { processesOf } from "../../e2e/processes";
import type { Stack } from "../../e2e/stack";
import { until } from "../../e2e/waiting";
import { World } from "../../e2e/world";
import { versatileAgent } from "../../emulator/gateway/agent";
import { deploy } from "../../emulator/gateway/deployment";
import { Repository } from "../../emulator/rollout/repository";
import { isLongRun } from "../figures";
import { type Exchange, Gate } from "./gate";

jest.setTimeout(600_000);

let world: World;
let gate: Gate;
let stack: Stack;
/** Path of the agent server on the control plane. */
let server: string;

beforeAll(async () => {
  world = await World.start({ dialect: "langsmith", rollout: "real" });
  const { plane } = world;
  const url = await deploy(plane, new Repository(versatileAgent()), "agent", {
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json" },
  });
  server = new URL(url).pathname;
  gate = await Gate.open(() => plane.baseUrl);
  stack = await world.stack("inside");
  stack.environment("AGENT_KEY", plane.apiKey);
  stack.program(`
const connection = { url: "${gate.address}${server}", apiKeyFrom: "AGENT_KEY" };
const brief = new Assistant("brief", { connection, graph: "agent", context: { style: "brief" } });
new Cron("report", { connection, assistant: brief, schedule: "0 9 * * *" });
new StoreItem("tone", { connection, namespace: ["guidelines"], key: "tone", value: { text: "Friendly." } });
new Thread("inbox", { connection, metadata: { purpose: "inbox" } });
new Run("smoke", { connection, assistant: "agent", input: { messages: [{ role: "user", content: "hi" }] } });
`);
});
afterAll(async () => {
  await gate?.refuseConnections();
  await world?.end();
});

async function killProvider(): Promise<void> {
  const providers = () =>
    processesOf(stack.folder).filter(({ command }) => /^\S*node .*cmd\/dynamic-provider/.test(command));
  for (const { pid } of providers()) process.kill(pid, "SIGKILL");
  await until(() => providers().length === 0);
}

const manners: Record<string, (exchange: Exchange) => Promise<void>> = {
  "after the request takes effect": async (exchange) => {
    await exchange.forward();
    await killProvider();
    exchange.drop();
  },
  ...(isLongRun && {
    "before the request arrives": async (exchange) => {
      await killProvider();
      exchange.drop();
    },
    "after the response": async (exchange) => {
      await exchange.answer(await exchange.forward());
      await killProvider();
    },
  }),
};

const requests = [
  "POST /agents/:id/assistants",
  "POST /agents/:id/runs/crons",
  "PUT /agents/:id/store/items",
  "POST /agents/:id/threads",
  "POST /agents/:id/threads/:id/runs",
];

async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { "content-type": "application/json", "X-Api-Key": world.plane.apiKey };
  const answer = await fetch(world.plane.baseUrl + server + path, {
    method,
    headers,
    body: body && JSON.stringify(body),
  });
  return (await answer.json()) as Answer;
}

/** Returns the number of objects of each kind, and the number of runs on each thread. */
async function counts() {
  const threads = await ask<{ thread_id: string }[]>("POST", "/threads/search", {});
  const runs = await Promise.all(
    threads.map(({ thread_id: id }) => ask<object[]>("GET", `/threads/${id}/runs`)),
  );
  const found = await ask<{ items: { namespace: string[] }[] }>("POST", "/store/items/search", {
    namespace_prefix: [],
  });
  const records = found.items.filter(({ namespace: [first] }) => first === "pulumi-agentserver");
  return {
    assistants: await ask("POST", "/assistants/count", {}),
    crons: await ask("POST", "/runs/crons/count", {}),
    items: found.items.length - records.length,
    records: records.length,
    runs: runs.map(({ length }) => length).sort(),
  };
}

test.each(requests.flatMap((request) => Object.keys(manners).map((manner) => [request, manner] as const)))(
  "creates one object of each kind in the next run after a provider is killed (%s, %s)",
  async (request, manner) => {
    gate.watch({ at: { request, occurrence: 1 }, act: manners[manner]! });
    const faulted = await stack.up();
    expect([faulted.code === 0, await gate.faultOccurred()]).toEqual([false, true]);
    gate.watch();
    const next = await stack.up();
    expect(next.code === 0 ? "" : next.output).toBe("");
    expect(await counts()).toEqual({ assistants: 2, crons: 1, items: 1, records: 1, runs: [0, 1] });
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    const down = await stack.destroy();
    expect(down.code === 0 ? "" : down.output).toBe("");
    expect(await counts()).toEqual({ assistants: 1, crons: 0, items: 0, records: 0, runs: [] });
  },
);
