import type { JournalEntry } from "../../../emulator/index";
import type { KindName } from "../../../provider/kinds";
import type { Props } from "../../../provider/resource/inputs/values";
import { AgentWorld } from "../agent-world";
import type { Stack } from "../stack";
import { runOver } from "../test-host";
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

/** Requests by operation, in order. IDs are replaced with numbers in the order of their first occurrence. */
type Requests = Record<string, string[]>;

/** Runs all operations on a resource and returns the requests that each of them sends. */
async function requestsOf(
  stack: Stack,
  { inputs, change, importId }: Program,
  take: () => JournalEntry[],
): Promise<Requests> {
  const ids = new Map<string, string>();
  const named = (text: string) =>
    text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `ID ${ids.size + 1}`);
      return ids.get(id)!;
    });
  const requests: Requests = {};
  const run = async (operation: string, work: () => Promise<unknown>) => {
    take();
    await work();
    requests[operation] = take().map(({ method, path, query, status, body }) =>
      named(JSON.stringify([method, path, query, status, body])),
    );
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

/** Returns the requests of both hosts. */
async function compared(run: () => Promise<Requests>): Promise<Record<keyof typeof hosts, Requests>> {
  hosts.dynamic();
  const dynamic = await run();
  hosts.plugin();
  return { dynamic, plugin: await run() };
}

test.each(["interface", "langsmith"] as const)(
  "sends the same requests for a deployment with both hosts in the dialect %s",
  async (dialect) => {
    const { dynamic, plugin } = await compared(async () => {
      const world = await World.start({ dialect });
      const stack = world.stack({ AGENTSERVER_OFFLINE: "false" }, "urn:pulumi:dev::shop::Deployment::agent");
      const take = () => {
        const entries = world.admin.journal();
        world.forget();
        return entries;
      };
      const program = { inputs: agent(), change: agentAt("v2"), importId: () => stack.deploymentId };
      return requestsOf(stack, program, take);
    });
    expect(plugin).toEqual(dynamic);
    expect(dynamic["creation"]!.filter((one) => one.startsWith('["POST"'))).toHaveLength(1);
    expect(dynamic["import"]).not.toEqual([]);
  },
);

describe("an object on an agent server", () => {
  let world: AgentWorld;
  beforeAll(async () => {
    world = await AgentWorld.start();
    // The first response of the agent server takes longer than the time limit of a preview.
    const [found] = await world.ask<{ assistant_id: string }[]>("POST", "/assistants/search", {});
    await world.ask("GET", `/assistants/${found!.assistant_id}/schemas`);
  });

  const server = () => world.deployment.deployment.id;
  const item = { namespace: ["notes", "ada"], key: "tone" };
  const cron = { assistant: "agent", schedule: "0 9 * * 1-5", input: { messages: [] } };

  test.each<[Exclude<KindName, "provider" | "listener" | "run">, Program]>([
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
  ])("receives the same requests from both hosts: %s", async (kind, program) => {
    const { dynamic, plugin } = await compared(() => {
      const stack = world.stack(kind, "same");
      const take = () => {
        const entries = world.admin.journal({ agents: true });
        world.forget();
        return entries;
      };
      const withServer = (inputs: object): Props => ({ ...world.deployment, ...inputs });
      const { inputs, change } = program;
      return requestsOf(stack, { ...program, inputs: withServer(inputs), change: withServer(change) }, take);
    });
    expect(plugin).toEqual(dynamic);
    for (const operation of ["creation", "update", "refresh", "import", "deletion"])
      expect(dynamic[operation]).not.toEqual([]);
    expect(dynamic["update without changes"]).toEqual([]);
  });
});
