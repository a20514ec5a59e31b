import type { Deployment, Refused, Resources } from "../../answers";
import {
  type Answer,
  type Client,
  clientOf,
  creation,
  creationIn,
  type Rig,
  start,
  stopAll,
} from "../client";
import { temporaryFolder } from "../folder";

afterEach(stopAll);

const path = "/v2/deployments";
const bot = { agent_id: "support-bot", environment: "production" };
const uploaded = { source: "internal_source", source_config: {}, source_revision_config: {}, secrets: [] };

function begin(more: object = {}): Promise<Rig> {
  return start({ dialect: "langsmith", ...more });
}

function deploy(client: Client, agent: object, more: object = {}): Promise<Answer<Deployment>> {
  return client.post<Deployment>(path, { ...uploaded, agent, ...more });
}

async function names(client: Client, query: string): Promise<string[]> {
  const { status, body } = await client.get<Resources<Deployment>>(`${path}?${query}`);
  expect(status).toBe(200);
  return body.resources.map(({ name }) => name);
}

test("generates the name of a deployment for an agent and an environment", async () => {
  const { client } = await begin();
  const { status, body } = await deploy(client, bot);
  expect(status).toBe(201);
  expect(body).toMatchObject({ agent: bot, is_preview: false, name: "support-bo-production" });
  expect((await client.get(`${path}/${body.id}`)).body).toMatchObject({ agent: bot });
});

test.each([
  ["Bücher & Größen", "bu-cher-gro-e-staging"],
  ["2f6b1c1e-0d5c-4d5e-8a53-7a5f5d0c8f11", "agent-2f6b1c1-staging"],
  ["???", "agent-staging"],
])("generates valid names that are short enough for every installation: %s", async (agent_id, wanted) => {
  const { client } = await begin();
  const { name } = (await deploy(client, { agent_id, environment: "staging" })).body;
  expect(name).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,20}$/);
  expect(name).toBe(wanted);
});

test("generates names that differ from each other and from specified names", async () => {
  const { client, plane } = await begin();
  await client.post(path, { ...uploaded, name: "agent-production" });
  plane.admin.leaveTracingProject("agent-production-2");
  const { body } = await deploy(client, { agent_id: "agent", environment: "production" });
  const other = await deploy(client, { agent_id: "AGENT", environment: "production" });
  expect(new Set([body.name, other.body.name, "agent-production", "agent-production-2"]).size).toBe(4);
  expect(other.status).toBe(201);
});

describe("a create request that requires a name or an agent", () => {
  test("fails with 422 if it contains neither, and reports all other validation errors", async () => {
    const { client } = await begin();
    const { status, body } = await client.post<{ detail: { loc: string[]; type: string }[] }>(path, {
      ...uploaded,
      source: "gitlab",
    });
    expect(status).toBe(422);
    expect(body.detail.map(({ loc, type }) => `${loc.join(".")} ${type}`).sort()).toEqual([
      "body.name missing",
      "body.source literal_error",
    ]);
  });

  test("fails with 422 if it contains a name and an agent", async () => {
    const { client } = await begin();
    const { status, body } = await client.post(path, { ...uploaded, name: "agent", agent: bot });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      detail: [{ loc: ["body", "agent"], msg: "Specify either 'name' or 'agent', not both" }],
    });
  });

  test.each([
    ["an unknown environment", { ...bot, environment: "test" }],
    ["no environment", { agent_id: "support-bot" }],
    ["an empty ID", { ...bot, agent_id: "" }],
  ])("fails with 422 if the agent has %s", async (_what, agent) => {
    const { client } = await begin();
    expect((await deploy(client, agent)).status).toBe(422);
  });

  test("succeeds if it contains one, and the other one is null", async () => {
    const { client } = await begin();
    expect((await deploy(client, bot, { name: null })).status).toBe(201);
    expect((await client.post(path, { ...uploaded, name: "other", agent: null })).status).toBe(201);
  });
});

describe("with one deployment per agent and environment", () => {
  test("rejects a second deployment with 409, but accepts another environment or agent", async () => {
    const { client } = await begin();
    await deploy(client, bot);
    const again = await client.post<Refused>(path, { ...uploaded, agent: bot });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ detail: "A deployment already exists for this agent environment" });
    expect((await deploy(client, { ...bot, environment: "staging" })).status).toBe(201);
    expect((await deploy(client, { ...bot, agent_id: "other" })).status).toBe(201);
  });

  test("ignores agents in other workspaces", async () => {
    const organizations = [
      { name: "acme", apiKeys: ["key"], tenants: [crypto.randomUUID(), crypto.randomUUID()] },
    ];
    const { plane } = await begin({ organizations });
    const [one, other] = organizations[0]!.tenants.map((id) => clientOf(plane, { "X-Tenant-Id": id }));
    expect((await deploy(one!, bot)).status).toBe(201);
    expect((await deploy(other!, bot)).status).toBe(201);
    expect(await names(one!, "agent_id=support-bot")).toHaveLength(1);
  });

  test("accepts the agent of a deployment that is being deleted, but not its name", async () => {
    const { client } = await begin({ lingerSeconds: 60 });
    const first = (await deploy(client, bot)).body;
    await client.delete(`${path}/${first.id}`);
    const second = await deploy(client, bot);
    expect(second.status).toBe(201);
    expect(second.body.name).not.toBe(first.name);
    for (const query of ["agent_id=support-bot", "agent_environment=production"])
      expect(await names(client, query)).toEqual([second.body.name]);
  });

  test("rejects a second deployment even after a restart", async () => {
    const state = temporaryFolder();
    await deploy((await begin({ state })).client, bot);
    await stopAll();
    const { client } = await begin({ state });
    expect((await deploy(client, bot)).status).toBe(409);
  });
});

test("filters a list by agent, environment, or both", async () => {
  const { client } = await begin();
  for (const agent_id of ["one", "two"])
    for (const environment of ["staging", "production"]) await deploy(client, { agent_id, environment });
  await client.post(path, creationIn("langsmith", "one-by-name"));
  expect(await names(client, "agent_id=one")).toEqual(["one-staging", "one-production"]);
  expect(await names(client, "agent_environment=staging")).toEqual(["one-staging", "two-staging"]);
  expect(await names(client, "agent_id=two&agent_environment=production")).toEqual(["two-production"]);
  expect(await names(client, "agent_id=unknown")).toEqual([]);
  expect((await client.get(`${path}?agent_environment=test`)).status).toBe(422);
});

test("requires a name and ignores agents in the interface dialect", async () => {
  const { client } = await start();
  const body = { ...creation("x"), name: undefined, agent: bot };
  expect(await client.post(path, body)).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "name"], type: "missing" }] },
  });
  expect((await client.post(path, { ...creation("x"), agent: bot })).status).toBe(201);
  expect((await client.get(`${path}?agent_id=support-bot`)).status).toBe(422);
});
