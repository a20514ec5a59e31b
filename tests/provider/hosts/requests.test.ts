import type { KindName } from "../../../provider/kinds";
import { listenerKind } from "../../../provider/listener/kind";
import type { Props } from "../../../provider/resource/inputs/values";
import { SessionPool } from "../../../provider/session/session-pool";
import { AgentWorld } from "../agent-world";
import { type RecordedRequest, RecordingProxy } from "../recording-proxy";
import { Stack } from "../stack";
import { providerOf, runOver } from "../test-host";
import { agent, agentAt, World } from "../world";
import { usePlugin } from "./plugin/plugin-provider";

const hosts = { dynamic: () => runOver(), plugin: usePlugin };

afterEach(hosts.dynamic);

/** Inputs of a resource before and after a change, and the ID for importing it. */
interface Program {
  inputs: object;
  change: object;
  importId?: (stack: Stack) => string;
}

/**
 * Requests by operation: method, path with query, status, and body. Writes are in order, and the reads between them are
 * sorted. IDs and hashes of IDs are replaced with numbers in the order of their first occurrence. Consecutive equal
 * requests, which are polls, count as one.
 */
type Requests = Record<string, string[]>;

/** Sorts the requests between two writes, because reads may be sent at the same time. */
function withSortedReads(requests: RecordedRequest[]): RecordedRequest[] {
  const isRead = ({ method, path }: RecordedRequest) => method === "GET" || /\/(search|count)\b/.test(path);
  const text = ({ method, path, body }: RecordedRequest) =>
    JSON.stringify([method, path, body]).replace(idPattern, "ID");
  const firstWrite = requests.findIndex((one) => !isRead(one));
  const reads = firstWrite < 0 ? requests : requests.slice(0, firstWrite);
  const sorted = reads.toSorted((one, other) => text(one).localeCompare(text(other)));
  if (firstWrite < 0) return sorted;
  return [...sorted, requests[firstWrite]!, ...withSortedReads(requests.slice(firstWrite + 1))];
}

const idPattern = /[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{32}\b/g;

/** Runs all operations on a resource and returns the requests that each of them sends. */
async function requestsOf(
  stack: Stack,
  { inputs, change, importId }: Program,
  proxy: RecordingProxy,
): Promise<Requests> {
  const ids = new Map<string, string>();
  const named = (text: string) =>
    text.replace(idPattern, (id) => {
      if (!ids.has(id)) ids.set(id, `ID ${ids.size + 1}`);
      return ids.get(id)!;
    });
  const requests: Requests = {};
  const run = async (operation: string, work: () => Promise<unknown>) => {
    proxy.take();
    await work();
    requests[operation] = withSortedReads(proxy.take())
      .map(({ method, path, status, body }) => named(JSON.stringify([method, path, status, body])))
      .filter((request, index, all) => request !== all[index - 1]);
  };
  const up = async (program: object, step: string) => {
    const { failure, ...result } = await stack.up(program);
    expect([failure?.message, result]).toEqual([undefined, { step, checkFailures: [] }]);
  };
  await run("preview of the creation", () => stack.check(inputs));
  await run("creation", () => up(inputs, "create"));
  await run("preview without changes", () => stack.preview(inputs));
  await run("update without changes", () => up(inputs, "same"));
  await run("preview of a change", () => stack.preview(change));
  await run("update", () => up(change, "update"));
  await run("refresh", () => stack.refresh());
  if (importId)
    await run("import", async () => {
      const found = await stack.host.read(importId(stack), { __call: { urn: stack.urn } });
      expect(found.id).toBe(stack.id);
    });
  await run("deletion", () => stack.destroy());
  return requests;
}

/** Returns the requests that the same run sends with each of the two hosts. */
async function compared(run: () => Promise<Requests>): Promise<Record<keyof typeof hosts, Requests>> {
  hosts.dynamic();
  const dynamic = await run();
  hosts.plugin();
  return { dynamic, plugin: await run() };
}

test.each(["interface", "langsmith"] as const)(
  "sends the same requests for a deployment with both hosts in the %s dialect",
  async (dialect) => {
    const { dynamic, plugin } = await compared(async () => {
      const world = await World.start({ dialect });
      const proxy = await RecordingProxy.start(world.address);
      const env = { AGENTSERVER_BASE_URL: proxy.baseUrl, AGENTSERVER_OFFLINE: "false" };
      const stack = world.stack(env, "urn:pulumi:dev::shop::Deployment::agent");
      const program = { inputs: agent(), change: agentAt("v2"), importId: () => stack.deploymentId };
      return requestsOf(stack, program, proxy);
    });
    expect(plugin).toEqual(dynamic);
    expect(dynamic["creation"]!.filter((one) => one.startsWith('["POST"'))).toHaveLength(1);
    expect(dynamic["import"]).not.toEqual([]);
  },
);

test("sends the same requests for a listener with both hosts", async () => {
  const { dynamic, plugin } = await compared(async () => {
    const world = await World.start({ dialect: "langsmith" });
    const proxy = await RecordingProxy.start(world.address);
    const env = { ...world.environment, AGENTSERVER_BASE_URL: proxy.baseUrl, AGENTSERVER_OFFLINE: "false" };
    const sessions = new SessionPool({ env, clock: world.time, random: () => 0.5 });
    const provider = providerOf(listenerKind(), { log: world.log, sessions });
    const stack = new Stack(world, provider, "urn:pulumi:dev::shop::Listener::eu");
    const inputs = { computeId: "agents-eu", namespaces: ["agents"] };
    const change = { ...inputs, namespaces: ["agents", "more"] };
    return requestsOf(stack, { inputs, change, importId: ({ id }) => id! }, proxy);
  });
  expect(plugin).toEqual(dynamic);
  for (const operation of ["creation", "update", "refresh", "import", "deletion"])
    expect(dynamic[operation]).not.toEqual([]);
});

describe("an object on an agent server", () => {
  let world: AgentWorld;
  let proxy: RecordingProxy;
  beforeAll(async () => {
    world = await AgentWorld.start();
    proxy = await RecordingProxy.start(world.plane.baseUrl);
    // The agent server's first response takes longer than a preview waits, so it is requested before the tests.
    const [found] = await world.ask<{ assistant_id: string }[]>("POST", "/assistants/search", {});
    await world.ask("GET", `/assistants/${found!.assistant_id}/schemas`);
  });

  const server = () => world.deployment.deployment.id;
  const item = { namespace: ["notes", "ada"], key: "tone" };
  const cron = { assistant: "agent", schedule: "0 9 * * 1-5", input: { messages: [] } };

  test.each<[Exclude<KindName, "provider" | "listener">, Program]>([
    [
      "assistant",
      {
        inputs: { graph: "agent", name: "Brief", context: { style: "brief" } },
        change: { graph: "agent", name: "Long", context: { style: "long" } },
        importId: ({ id }) => `${server()}/${id}`,
      },
    ],
    [
      "cron",
      {
        inputs: cron,
        change: { ...cron, schedule: "0 8 * * 1-5" },
        importId: ({ id }) => `${server()}/${id}`,
      },
    ],
    [
      "thread",
      {
        inputs: { graph: "agent", metadata: { team: "support" } },
        change: { graph: "agent", metadata: { team: "sales" } },
        importId: ({ id }) => `${server()}/${id}`,
      },
    ],
    [
      "storeItem",
      {
        inputs: { ...item, value: { style: "brief" } },
        change: { ...item, value: { style: "long" } },
        importId: () => `${server()}/notes.ada/tone`,
      },
    ],
    [
      "storeItems",
      {
        inputs: { namespace: ["handbook"], items: { one: { of: 1 }, two: { of: 2 } } },
        change: { namespace: ["handbook"], items: { one: { of: 3 } } },
        importId: () => `${server()}/handbook`,
      },
    ],
    [
      "run",
      {
        inputs: { assistant: "agent", input: { messages: [{ role: "user", content: "hi" }] }, triggers: [1] },
        change: { assistant: "agent", input: { messages: [{ role: "user", content: "ho" }] }, triggers: [2] },
      },
    ],
  ])("receives the same requests from both hosts: %s", async (kind, program) => {
    const { dynamic, plugin } = await compared(() => {
      const stack = world.stack(kind, "same");
      stack.host = world.host(kind, { ...world.environment, AGENTSERVER_BASE_URL: proxy.baseUrl });
      const { id, url } = world.deployment.deployment;
      const withServer = (inputs: object): Props => ({
        deployment: { id, url: proxy.proxied(url) },
        ...inputs,
      });
      const { inputs, change } = program;
      return requestsOf(stack, { ...program, inputs: withServer(inputs), change: withServer(change) }, proxy);
    });
    expect(plugin).toEqual(dynamic);
    const operations = ["creation", "update", "refresh", "deletion", ...(program.importId ? ["import"] : [])];
    for (const operation of operations) expect(dynamic[operation]).not.toEqual([]);
    expect(dynamic["update without changes"]).toEqual([]);
  });
});
