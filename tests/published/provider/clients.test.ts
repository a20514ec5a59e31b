import { AgentServerClient } from "../../../provider/agent-server/client";
import type { Clock } from "../../../provider/clock";
import { ControlPlaneClient } from "../../../provider/control-plane/client";
import { ReferenceClient } from "../../../provider/control-plane/reference-client";
import { RevisionClient } from "../../../provider/control-plane/revision-client";
import { Session } from "../../../provider/session";
import { published } from "../facts/published";
import { type Exceptions, unexplained } from "../judge/exceptions";
import { sampleOf } from "../judge/samples";
import { PublishedServer } from "./published-server";

const { controlPlane, agentServer } = published;
const clock: Clock = { now: () => 0, sleep: () => Promise.resolve() };
const id = sampleOf({ shape: { type: "string", format: "uuid" }, schemas: {} }, "most") as string;
const body = (schema: string) =>
  sampleOf({ shape: { schema }, schemas: controlPlane.schemas }, "most") as never;

type Calls<Client> = Record<string, (client: Client) => Promise<unknown>>;

/** Every method of the clients of the control plane. */
const deployments: Calls<ControlPlaneClient> = {
  verifyAccess: (client) => client.verifyAccess(),
  findByName: (client) => client.findByName("agent"),
  listDeployments: (client) => client.listDeployments(),
  createDeployment: (client) => client.createDeployment(body("DeploymentCreateRequest")),
  findDeployment: (client) => client.findDeployment(id),
  findWholeDeployment: (client) => client.findWholeDeployment(id),
  patchDeployment: (client) => client.patchDeployment(id, body("DeploymentPatchRequest")),
  deleteDeployment: (client) => client.deleteDeployment(id),
  findApiDescription: (client) => client.findApiDescription(),
};
const revisions: Calls<ControlPlaneClient> = {
  createRevision: (client) => client.createRevision(id, body("DeploymentRevisionCreateRequest")),
  revisionPages: async (client) => {
    for await (const page of client.revisionPages(id)) expect(page).toHaveLength(1);
  },
  listRevisions: (client) => client.listRevisions(id),
  revisionsAfter: (client) => client.revisionsAfter(id, id),
  getRevision: (client) => client.getRevision(id, id),
  findLogs: (client) => client.findLogs(id, id, { type: "build", order: "asc", limit: 1000, offset: "7" }),
  redeploy: (client) => client.redeploy(id, id),
  tailLogs: (client) => client.tailLogs(id, id, "deploy", 20),
};
const references: Calls<ReferenceClient> = {
  findIntegration: async (client) => (await client.findIntegration(id))?.repositories(),
  hasListener: (client) => client.hasListener(id),
  listenerIds: (client) => client.listenerIds(),
};
const agents: Calls<AgentServerClient> = {
  checkHealth: (client) => client.checkHealth(),
  hasGraph: (client) => client.hasGraph("agent"),
  countThreads: async (client) => [await client.countThreads(true), await client.countThreads(false)],
  countAssistants: (client) => client.countAssistants(),
  countCrons: (client) => client.countCrons(),
  createThread: (client) => client.createThread(),
  startRun: (client) => client.startRun(id, "agent", { messages: [{ role: "user", content: "ping" }] }),
  listRuns: (client) => client.listRuns(id),
  getRun: (client) => client.getRun(id, id),
  joinRun: (client) => client.joinRun(id, id),
  getState: (client) => client.getState(id),
  deleteThread: (client) => client.deleteThread(id),
};

const sent: Exceptions = [[/^GET \/openapi\.json: not published$/, "where the document itself is"]];

/** The lines of a log may be any objects in the document; clients read their `message`. */
const unread = /^findLogs: .* field logs\.0\.message/;

/** Methods that only the classes themselves call. */
const inner = ["constructor", "find", "readLogs", "integrationAt", "ids", "send"];

test.each([
  ["deployments", ControlPlaneClient, deployments],
  ["revisions", RevisionClient, revisions],
  ["references", ReferenceClient, references],
  ["agent servers", AgentServerClient, agents],
] as [string, { prototype: object }, object][])(
  "every method of the client of %s is called",
  (_what, client, calls) => {
    const methods = Object.getOwnPropertyNames(client.prototype).filter((name) => !inner.includes(name));
    expect(Object.keys(calls).sort()).toEqual(methods.sort());
  },
);

describe.each(["most", "least"] as const)("a server that says the %s it may", (measure) => {
  let server: PublishedServer;
  afterEach(() => server.close());

  const session = (url: string) =>
    new Session({
      config: () => undefined,
      env: { AGENTSERVER_BASE_URL: url, AGENTSERVER_API_KEY: "key", AGENTSERVER_TENANT_ID: "tenant" },
      clock,
      random: () => 0.5,
    });

  test("of the control plane is understood, and asked nothing that is not published", async () => {
    server = await PublishedServer.start(controlPlane, measure);
    const { client, references: asking } = session(server.url).askingOnce();
    const failures = [
      ...(await failuresOf({ ...deployments, ...revisions }, client)),
      ...(await failuresOf(references, asking)),
    ];
    expect(failures.filter((failure) => measure === "least" || !unread.test(failure))).toEqual([]);
    expect(unexplained(server.findings(), sent)).toEqual([]);
    for (const { headers } of server.exchanges)
      expect(headers).toMatchObject({ "x-api-key": "key", "x-tenant-id": "tenant" });
  });

  test("of an agent is understood, and asked nothing that is not published", async () => {
    server = await PublishedServer.start(agentServer, measure);
    const client = session("http://127.0.0.1:1").agentServer(server.url);
    expect(await failuresOf(agents, client)).toEqual([]);
    expect(server.findings()).toEqual([]);
    for (const { headers } of server.exchanges) {
      expect(headers).toMatchObject({ "x-api-key": "key" });
      expect(headers).not.toHaveProperty("x-tenant-id");
    }
  });
});

/** The methods that did not understand what was answered, and what they said. */
async function failuresOf<Client>(calls: Calls<Client>, client: Client): Promise<string[]> {
  const failures: string[] = [];
  for (const [name, call] of Object.entries(calls))
    await call(client).catch((error: unknown) => failures.push(`${name}: ${(error as Error).message}`));
  return failures;
}
