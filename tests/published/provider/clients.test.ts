import { AgentServerClient } from "../../../provider/agent-server/client";
import type { Clock } from "../../../provider/clock";
import { ControlPlaneClient } from "../../../provider/control-plane/client";
import { Session } from "../../../provider/session/session";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { sampleOf } from "../judge/samples";
import { PublishedServer } from "./published-server";

const { controlPlane, agentServer } = published;
const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
const id = sampleOf({ shape: { type: "string", format: "uuid" }, schemas: {} }, "most") as string;
const body = (schema: string) =>
  sampleOf({ shape: { schema }, schemas: controlPlane.schemas }, "most") as never;

const prepared = (schema: string) => () => Promise.resolve(body(schema));

const agentBody = (schema: string) =>
  sampleOf({ shape: { schema }, schemas: agentServer.schemas }, "most") as never;

type Calls<Client> = Record<string, (client: Client) => Promise<unknown>>;

/** Methods of the control plane clients, by resource. */
const ofControlPlane: Record<
  "deployments" | "revisions" | "integrations" | "listeners" | "uploads" | "authentication" | "",
  Calls<ControlPlaneClient>
> = {
  deployments: {
    verifyAccess: (client) => client.deployments.verifyAccess(),
    findByName: (client) => client.deployments.findByName("agent"),
    findByAgent: (client) => client.deployments.findByAgent("agent", "production"),
    list: (client) => client.deployments.list(),
    firstPage: (client) => client.deployments.firstPage(),
    pages: async (client) => {
      for await (const page of client.deployments.pages()) expect(page).toHaveLength(1);
    },
    create: (client) => client.deployments.create(body("DeploymentCreateRequest")),
    find: (client) => client.deployments.find(id),
    findWhole: (client) => client.deployments.findWhole(id),
    patch: (client) => client.deployments.patch(id, prepared("DeploymentPatchRequest")),
    resize: (client) => client.deployments.resize(id, prepared("DeploymentResourceTiersUpdateRequest")),
    delete: (client) => client.deployments.delete(id),
  },
  revisions: {
    create: (client) => client.revisions.create(id, prepared("DeploymentRevisionCreateRequest")),
    pages: async (client) => {
      for await (const page of client.revisions.pages(id)) expect(page).toHaveLength(1);
    },
    list: (client) => client.revisions.list(id),
    after: (client) => client.revisions.after(id, id),
    get: (client) => client.revisions.get(id, id),
    findLogs: (client) =>
      client.revisions.findLogs(id, id, { type: "build", order: "asc", limit: 1000, offset: "7" }),
    redeploy: (client) => client.revisions.redeploy(id, id, () => Promise.resolve()),
    tailLogs: (client) => client.revisions.tailLogs(id, id, "deploy", 20),
  },
  integrations: {
    find: async (client) => (await client.integrations.find(id))?.repositories(),
    list: (client) => client.integrations.list(),
    repositories: (client) => client.integrations.repositories({ id, app: "forge" }),
  },
  authentication: {
    authenticate: (client) => client.authentication.authenticate(body("AuthAuthenticateRequest")),
    wait: (client) => client.authentication.wait(id, 20),
  },
  uploads: { offer: (client) => client.uploads.offer(id) },
  listeners: {
    has: (client) => client.listeners.has(id),
    list: (client) => client.listeners.list(),
    create: (client) => client.listeners.create(body("ListenerCreateRequest")),
    find: (client) => client.listeners.find(id),
    update: (client) => client.listeners.update(id, body("ListenerPatchRequest")),
    delete: (client) => client.listeners.delete(id),
  },
  "": { findApiDescription: (client) => client.findApiDescription() },
};

/** Methods of the agent server clients, by resource. */
const ofAgentServer: Record<
  "assistants" | "threads" | "runs" | "crons" | "store" | "",
  Calls<AgentServerClient>
> = {
  assistants: {
    hasGraph: (client) => client.assistants.hasGraph("agent"),
    canRun: (client) => client.assistants.canRun("agent"),
    search: (client) => client.assistants.search({ graph_id: "agent" }),
    count: (client) => client.assistants.count(),
    create: (client) => client.assistants.create(id, agentBody("AssistantCreate")),
    find: (client) => client.assistants.find(id),
    update: (client) => client.assistants.update(id, agentBody("AssistantPatch")),
    useVersion: (client) => client.assistants.useVersion(id, 1),
    delete: (client) => client.assistants.delete(id),
    schemas: (client) => client.assistants.schemas(id),
  },
  threads: {
    count: async (client) => [await client.threads.count(true), await client.threads.count(false)],
    create: (client) => client.threads.create(),
    createAs: (client) => client.threads.createAs(id, agentBody("ThreadCreate")),
    find: (client) => client.threads.find(id),
    search: (client) => client.threads.search({ team: "sales" }),
    list: (client) => client.threads.list({ status: "idle" }, 10),
    update: (client) => client.threads.update(id, agentBody("ThreadPatch")),
    updateState: (client) => client.threads.updateState(id, { messages: [] }, "answer"),
    hasRuns: (client) => client.threads.hasRuns(id),
    getState: (client) => client.threads.getState(id),
    delete: (client) => client.threads.delete(id),
  },
  runs: {
    start: (client) => client.runs.start(id, "agent", { messages: [{ role: "user", content: "ping" }] }),
    startWith: (client) => client.runs.startWith(id, agentBody("RunCreateStateful")),
    listStored: (client) => client.runs.listStored(id),
    list: (client) => client.runs.list(id),
    get: (client) => client.runs.get(id, id),
    join: (client) => client.runs.join(id, id),
  },
  crons: {
    count: (client) => client.crons.count(),
    create: async (client) => [
      await client.crons.create(agentBody("CronCreate")),
      await client.crons.create(agentBody("ThreadCronCreate"), id),
    ],
    find: (client) => client.crons.find(id),
    search: (client) => client.crons.search({ metadata: { team: "sales" } }),
    update: (client) => client.crons.update(id, agentBody("CronPatch")),
    delete: (client) => client.crons.delete(id),
  },
  store: {
    count: (client) => client.store.count(10),
    put: (client) => client.store.put(agentBody("StorePutRequest")),
    find: (client) => client.store.find(["handbook"], "hours"),
    list: (client) => client.store.list(["handbook"]),
    listByPrefix: (client) => client.store.listByPrefix([], 10),
    rootLabels: (client) => client.store.rootLabels(10),
    delete: (client) => client.store.delete(["handbook"], "hours"),
  },
  "": { checkHealth: (client) => client.checkHealth() },
};

const sent: Exceptions = [
  [/^GET \/openapi\.json: not published$/, "where the document itself is"],
  [
    /^GET \/v2\/deployments query agent_(id|environment): not published$/,
    "filters used by the official clients; servers may ignore them",
  ],
  [/^POST \S+\/upload-url body: not published$/, "known from the vendor's own client alone"],
];

const sentToAgents: Exceptions = [
  [
    /^POST \/assistants\/\{assistant_id\}\/latest body: not published$/,
    "the document specifies the version in the query, but the official clients send it in the body, which is all that some servers read",
  ],
];

/**
 * Pattern for findings about log lines. The document allows any objects as log lines, but the clients read their
 * `message`.
 */
const unread = /^findLogs: .* field logs\.0\.message/;

/** Pattern for findings about operations whose responses are not documented. */
const undescribed = /^offer: .* a body that is not the documented JSON/;

/** Methods that the client classes only use internally. */
const inner = [
  "constructor",
  "guarded",
  "unguarded",
  "findAs",
  "readLogs",
  "integrationAt",
  "idsAt",
  "rowsAt",
  "isListed",
  "path",
];

test.each([
  ["control planes", new ControlPlaneClient({} as never), ofControlPlane],
  ["agent servers", new AgentServerClient({} as never), ofAgentServer],
] as unknown as [string, Record<string, object>, Record<string, object>][])(
  "covers every method of the clients for %s",
  (_what, client, calls) => {
    const parts = Object.keys(client).filter((name) => name !== "transport");
    expect(Object.keys(calls).sort()).toEqual(["", ...parts].sort());
    for (const [part, methods] of Object.entries(calls)) {
      const of = Object.getPrototypeOf(part === "" ? client : client[part]) as object;
      const own = Object.getOwnPropertyNames(of).filter((name) => !inner.includes(name));
      expect(Object.keys(methods).sort()).toEqual(own.sort());
    }
  },
);

describe.each(["most", "least"] as const)("with a server that returns the %s allowed content", (measure) => {
  let server: PublishedServer;
  afterEach(() => server.close());

  const session = (url: string) =>
    new Session({
      config: () => undefined,
      env: { AGENTSERVER_BASE_URL: url, AGENTSERVER_API_KEY: "key", AGENTSERVER_TENANT_ID: "tenant" },
      clock,
      random: () => 0.5,
    });

  test("sends only published requests to the control plane, and reads its responses", async () => {
    server = await PublishedServer.start(controlPlane, measure);
    const failures = await failuresOf(ofControlPlane, session(server.url).clientWithoutRetries());
    const told = failures.filter((failure) => !undescribed.test(failure));
    expect(told.filter((failure) => measure === "least" || !unread.test(failure))).toEqual([]);
    expect(unexplained(server.findings(), sent)).toEqual([]);
    for (const { headers } of server.exchanges)
      expect(headers).toMatchObject({ "x-api-key": "key", "x-tenant-id": "tenant" });
  });

  test("sends only published requests to an agent server, and reads its responses", async () => {
    server = await PublishedServer.start(agentServer, measure);
    const client = session("http://127.0.0.1:1").agentServer(server.url);
    expect(await failuresOf(ofAgentServer, client)).toEqual([]);
    expect(unexplained(server.findings(), sentToAgents)).toEqual([]);
    for (const { headers } of server.exchanges) {
      expect(headers).toMatchObject({ "x-api-key": "key" });
      expect(headers).not.toHaveProperty("x-tenant-id");
    }
  });
});

/** Returns the methods that could not read a response, with the errors. */
async function failuresOf<Client>(parts: Record<string, Calls<Client>>, client: Client): Promise<string[]> {
  const failures: string[] = [];
  for (const [name, call] of Object.values(parts).flatMap((calls) => Object.entries(calls)))
    await call(client).catch((error: unknown) => failures.push(`${name}: ${(error as Error).message}`));
  return failures;
}
