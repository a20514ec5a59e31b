import { dynamicType } from "../../../provider/resource/ownership/type-token";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { askFacts } from "../../../cli/review/facts/ask";
import { terminalReport } from "../../../cli/review/formats/terminal";
import type { PreviewedResource } from "../../../cli/review/preview/preview";
import { systemClock, type Clock } from "../../../provider/clock";
import { Session } from "../../../provider/session/session";
import { previewOf, reportOf, updated, urnOf } from "./previews";

const apiKey = "canary-key-1";
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

type Answers = Record<string, unknown>;

/** Starts a server that responds to some requests and records all of them. */
async function serving(answers: (address: string) => Answers) {
  const asked: { request: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    const key = `${request.method} ${request.url?.split("?")[0]}`;
    asked.push({ request: key, headers: request.headers });
    request.resume().on("end", () => {
      const answer = answers(address)[key];
      if (answer === "silence") return;
      response.statusCode = answer === undefined ? 404 : 200;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answer ?? { detail: "not here" }));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, asked };
}

const deploymentPath = "GET /api-host/v2/deployments/agent-id";

/**
 * Returns the responses of a control plane with one deployment. Its agent server has the same address as the control
 * plane.
 */
const usual = (address: string): Answers => ({
  [deploymentPath]: { id: "agent-id", name: "agent", url: `${address}/agents/agent-id` },
  [`${deploymentPath}/revisions`]: {
    resources: [
      {
        id: "r3",
        status: "BUILD_FAILED",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T09:00:00Z",
      },
      {
        id: "r2",
        status: "DEPLOYED",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:02:00Z",
      },
      {
        id: "r1",
        status: "DEPLOYED",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:04:00Z",
      },
    ],
  },
  "POST /agents/agent-id/threads/count": 5,
  "POST /agents/agent-id/assistants/count": 2,
  "POST /agents/agent-id/runs/crons/count": 1,
  "POST /agents/agent-id/store/items/search": { items: [{}, {}, {}] },
});

async function shown(
  resource: PreviewedResource,
  address: string,
  options: { boundMs?: number; clock?: Clock } = {},
): Promise<string> {
  const { boundMs = 20_000, clock = systemClock } = options;
  const env = {
    AGENTSERVER_BASE_URL: address,
    AGENTSERVER_API_KEY: apiKey,
    AGENTSERVER_TENANT_ID: "t",
    AGENTSERVER_DIALECT: "interface",
  };
  const session = new Session({ config: () => undefined, env, clock, random: () => 0 });
  const signal = new AbortController().signal;
  const facts = await askFacts([resource], { session, signal, boundMs });
  return terminalReport(reportOf(previewOf([resource]), { facts }));
}

const replaced = (outputs = {}) =>
  updated(
    "agent",
    "is replaced (deleted first, with its threads, assistants, crons, and store): name a → agent [replace]",
    { operation: "replace", before: { id: "agent-id", inputs: { name: "agent" }, outputs } },
  );

test("counts the data that a replacement deletes on the agent server, and the past rollouts", async () => {
  const { address, asked } = await serving(usual);
  const text = await shown(replaced(), address);
  expect(text).toContain("Also deleted: 5 active runs, 5 threads, 1 cron, 2 assistants, 3 store items");
  expect(text).toContain("Expected duration: 3m (median of 2 past rollouts)");
  expect(asked.every(({ headers }) => headers["x-api-key"] === apiKey)).toBe(true);
  expect(asked.filter(({ request }) => /^(PATCH|DELETE|PUT)/.test(request))).toEqual([]);
});

test("does not send the key to an agent server whose address is not https", async () => {
  const { address, asked } = await serving((here) => ({
    ...usual(here),
    "GET /api-host/v2/deployments/agent-id": {
      id: "agent-id",
      url: "http://elsewhere.example/agents/agent-id",
    },
  }));
  const text = await shown(replaced(), address);
  expect(text).toContain(
    "The contents that will be lost are not known: No credential is sent to the agent server's address http://elsewhere.example/agents/agent-id, because it does not start with https://",
  );
  expect(asked.every(({ request }) => !request.includes("/count"))).toBe(true);
});

test("sends an agent server the key, but not the workspace", async () => {
  const { address, asked } = await serving(usual);
  await shown(replaced(), address);
  const counted = asked.filter(({ request }) => request.endsWith("/count"));
  expect(counted).toHaveLength(5);
  for (const { headers } of counted) {
    expect(headers["x-api-key"]).toBe(apiKey);
    expect(headers).not.toHaveProperty("x-tenant-id");
  }
});

test("omits kinds of objects that an agent server cannot count", async () => {
  const { address } = await serving((here) => ({
    ...usual(here),
    "POST /agents/agent-id/runs/crons/count": undefined,
    "POST /agents/agent-id/store/items/search": undefined,
  }));
  expect(await shown(replaced(), address)).toContain("5 active runs, 5 threads, 2 assistants, and the store");
});

test("reports that the data is unknown if an agent server does not respond in time", async () => {
  const { address } = await serving((here) => ({
    ...usual(here),
    "POST /agents/agent-id/threads/count": "silence",
  }));
  // Makes the time limit expire immediately.
  const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
  const text = await shown(replaced(), address, { clock, boundMs: 7_000 });
  expect(text).toContain("The contents that will be lost are not known: there was no response within 7 s");
});

test("sends no requests about a deployment on another control plane", async () => {
  const { address, asked } = await serving(usual);
  const outputs = { controlPlane: { baseUrl: "https://elsewhere.example/api-host", tenantId: "t" } };
  const text = await shown(replaced(outputs), address);
  expect(text).toContain(
    "The contents that will be lost are not known: The resource in state is on a different control plane",
  );
  expect(asked).toEqual([]);
});

const connection = { baseUrl: "https://elsewhere.example", tenantId: "t", apiKeyFrom: "KEY" };

test("sends no requests about a deployment with its own connection", async () => {
  const { address, asked } = await serving(holding);
  const lost = replaced({ controlPlane: { baseUrl: connection.baseUrl, tenantId: "t" } });
  lost.before!.inputs["connection"] = connection;
  expect(await shown(lost, address)).toContain(
    "The contents that will be lost are not known: a review does not query the control plane that a resource specifies in `connection`",
  );
  for (const adopt of ["ifOwned", "always"]) {
    const text = await shown(created(adopt, { connection }), address);
    expect(text).not.toMatch(/the name is used by|adopts/);
  }
  expect(asked).toEqual([]);
});

/** Returns the responses of a control plane that already has a deployment named `agent`. */
const holding = (): Answers => ({
  "GET /api-host/v2/deployments": { resources: [{ id: "dep-7", name: "agent" }] },
});

const created = (adopt: string, inputs = {}): PreviewedResource => ({
  urn: urnOf("agent"),
  type: dynamicType("Deployment"),
  operation: "create",
  after: { inputs: { name: "agent", adopt, ownerId: "me", ...inputs }, outputs: {} },
  replaceReasons: [],
});

test("reports a name that is in use, or the adoption of the deployment that uses it", async () => {
  const { address } = await serving(holding);
  expect(await shown(created("ifOwned"), address)).toContain("the name is used by dep-7");
  expect(await shown(created("always"), address)).toContain("agent adopts an existing deployment");
});

test("sends no requests about a change that causes neither a rollout nor a loss of data", async () => {
  const { address, asked } = await serving(usual);
  await shown(
    updated("agent", "patched without a new revision: sourceConfig.buildOnPush false → true [patch]"),
    address,
  );
  expect(asked).toEqual([]);
});
