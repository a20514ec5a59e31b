import { setImmediate } from "node:timers/promises";
import { kinds } from "../../../provider/kinds";
import type { Props } from "../../../provider/resource/inputs/values";
import { SessionPool } from "../../../provider/session/session-pool";
import { RecordedLog } from "../../provider/recorded-log";
import { providerOf } from "../../provider/test-host";
import { canary } from "../../provider/world";
import { HostileAgent } from "./agent";
import { type Call, expectFit } from "./resource";
import type { Answer } from "./server";

export type Kind = "assistant" | "cron" | "storeItem" | "storeItems" | "thread" | "run" | "listener";

/** Endpoints that each call sends requests to, in any order. */
const reached: Record<Kind, Partial<Record<Call, string[]>>> = {
  assistant: {
    create: ["POST /assistants"],
    update: ["GET /assistants/:id", "PATCH /assistants/:id"],
    read: ["GET /assistants/:id"],
    delete: ["GET /assistants/:id", "DELETE /assistants/:id"],
  },
  cron: {
    create: ["POST /runs/crons/search", "POST /runs/crons"],
    update: ["POST /runs/crons/search", "PATCH /runs/crons/:id"],
    read: ["POST /runs/crons/search"],
    delete: ["POST /runs/crons/search", "DELETE /runs/crons/:id"],
  },
  storeItem: {
    create: ["GET /store/items", "PUT /store/items"],
    update: ["PUT /store/items"],
    read: ["GET /store/items"],
    delete: ["DELETE /store/items"],
  },
  storeItems: {
    create: ["POST /store/items/search", "PUT /store/items"],
    update: ["PUT /store/items"],
    read: ["POST /store/items/search"],
    delete: ["DELETE /store/items"],
  },
  thread: {
    create: ["POST /threads"],
    update: ["PATCH /threads/:id"],
    read: ["GET /threads/:id"],
    delete: ["GET /threads/:id", "GET /threads/:id/runs", "DELETE /threads/:id"],
  },
  run: {
    create: [
      "POST /threads",
      "GET /threads/:id/runs",
      "POST /threads/:id/runs",
      "GET /threads/:id/runs/:id",
      "GET /threads/:id/runs/:id/join",
    ],
  },
  listener: {
    create: ["POST /v2/listeners"],
    update: ["PATCH /v2/listeners/:id"],
    read: ["GET /v2/listeners/:id"],
    delete: ["DELETE /v2/listeners/:id"],
  },
};

const own: Record<Kind, { old: Props; wanted: Props }> = {
  assistant: {
    old: { graph: "agent", assistantId: HostileAgent.id, name: "Old" },
    wanted: { graph: "agent", assistantId: HostileAgent.id, name: "New", context: { key: canary } },
  },
  cron: {
    old: { assistant: "agent", schedule: "0 1 * * *" },
    wanted: { assistant: "agent", schedule: "0 2 * * *", input: { key: canary } },
  },
  storeItem: {
    old: { namespace: ["a"], key: "b", value: { old: true } },
    wanted: { namespace: ["a"], key: "b", value: { key: canary }, adopt: "always" },
  },
  storeItems: {
    old: {
      namespace: ["a"],
      items: { b: { old: true }, c: { d: 0 } },
      itemHashes: { b: "0".repeat(64), c: "0".repeat(64) },
      adopt: "always",
    },
    wanted: {
      namespace: ["a"],
      items: { b: { key: canary }, c: { d: 1 } },
      itemHashes: { b: "1".repeat(64), c: "2".repeat(64) },
      adopt: "always",
    },
  },
  thread: {
    old: { threadId: HostileAgent.id, metadata: { a: 1 } },
    wanted: { threadId: HostileAgent.id, metadata: { key: canary } },
  },
  listener: {
    old: { computeId: "cluster", namespaces: ["a"] },
    wanted: { computeId: "cluster", namespaces: ["a", "b"] },
  },
  run: { old: {}, wanted: { assistant: "agent", input: { key: canary }, triggers: [1] } },
};

/** Controllers with which the server ends the client's wait for a response, so that the wait takes no time. */
const waits = new Set<AbortController>();
export const counted = { "hostile responses": 0, "maximum requests per call": 0 };

beforeAll(() =>
  jest.spyOn(AbortSignal, "timeout").mockImplementation(() => {
    const wait = new AbortController();
    waits.add(wait);
    return wait.signal;
  }),
);
afterEach(() => waits.clear());
afterAll(() => jest.restoreAllMocks());

/** Runs one call of the engine while an endpoint returns this response, and checks that the output can be displayed. */
export async function callWithAnswer(
  kind: Kind,
  what: Call,
  endpoint: string,
  answer: Answer | undefined,
): Promise<string[]> {
  const agent = await HostileAgent.start();
  agent.exists = what !== "create";
  agent.odd[endpoint] = answer;
  agent.giveUp = () => waits.forEach((wait) => wait.abort());
  let now = Date.UTC(2026, 0, 1);
  const clock = { now: () => now, sleep: async (ms: number) => void ((now += ms), await setImmediate()) };
  const log = new RecordedLog();
  const env = {
    AGENT_KEY: `${canary}-key`,
    AGENTSERVER_BASE_URL: agent.url,
    AGENTSERVER_API_KEY: `${canary}-key`,
    AGENTSERVER_TENANT_ID: "t",
    AGENTSERVER_DIALECT: "langsmith",
  };
  const sessions = new SessionPool({ env, clock, random: () => 0.5, answerTimeoutMs: 2_000 });
  const host = providerOf(kinds[kind](), { log, sessions });
  await host.configure({ config: { get: () => undefined } as never });
  const type = `pulumi-nodejs:dynamic/agentserver:${kind}`;
  const place =
    kind === "listener"
      ? { controlPlane: { baseUrl: `${agent.url}/api-host`, tenantId: "t", dialect: "langsmith" } }
      : { connection: { url: agent.url, apiKeyFrom: "AGENT_KEY" } };
  const common = {
    ...place,
    ownerId: "owner-1",
    __provider: "p",
    __call: {
      urn: `urn:pulumi:dev::shop::${type}::it`,
      timeouts: { create: "1m", update: "1m", delete: "1m" },
      secretPaths: ["context.key", "input.key", "value.key", "items.b.key", "metadata.key"],
    },
  };
  const state = { ...common, ...own[kind].old, schemaVersion: 1 };
  const wanted = { ...common, ...own[kind].wanted };
  const id = kind === "storeItem" ? "a/b" : kind === "storeItems" ? "a" : HostileAgent.id;
  try {
    if (what === "create") expect((await host.create(wanted)).id).toMatch(/./);
    if (what === "update") await host.update(id, state, wanted);
    if (what === "read") await host.read(id, state);
    if (what === "delete") await host.delete(id, state);
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Error);
    const failure = thrown as Error & { reasons?: string[] };
    for (const text of [failure.message, failure.stack, String(failure), ...(failure.reasons ?? [])])
      expectFit(text);
    expect(failure.message).not.toMatch(/\[object Object\]|Cannot read|is not a function|TypeError/);
  }
  for (const { message } of log.said) expectFit(message);
  counted["hostile responses"] += 1;
  counted["maximum requests per call"] = Math.max(
    counted["maximum requests per call"],
    agent.requests.length,
  );
  expect(agent.requests.length).toBeLessThan(1_100);
  const { requests } = agent;
  await agent.close().catch(() => {});
  return requests;
}

/** Each kind with each of its calls and their endpoints. */
export const cases = Object.entries(reached).flatMap(([kind, calls]) =>
  Object.entries(calls).flatMap(([what, endpoints]) =>
    endpoints.map((endpoint) => [kind, what, endpoint] as [Kind, Call, string]),
  ),
);
