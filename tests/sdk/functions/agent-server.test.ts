import * as pulumi from "@pulumi/pulumi";
import {
  getAssistant,
  getAssistantOutput,
  getAssistants,
  getAssistantsOutput,
  getDeployment,
  getDeployments,
  getRevisions,
  getStoreItem,
  getStoreItemOutput,
  searchThreads,
  searchThreadsOutput,
} from "../../../sdk";
import { AgentWorld } from "../../provider/agent-world";
import { valueOf, withoutEngine } from "../program";

let world: AgentWorld;
let briefId: string;

beforeAll(async () => {
  world = await AgentWorld.start();
  const brief = {
    graph_id: "agent",
    name: "Brief",
    context: { style: "brief" },
    metadata: { team: "sales" },
  };
  briefId = (await world.ask<{ assistant_id: string }>("POST", "/assistants", brief)).assistant_id;
  for (const name of ["Brief two", "Twin", "Twin"])
    await world.ask("POST", "/assistants", { graph_id: "agent", name });
  await world.ask("PUT", "/store/items", { namespace: ["a", "b"], key: "k.1", value: { deep: { x: 1 } } });
  for (let at = 0; at < 3; at += 1) await world.ask("POST", "/threads", { metadata: { team: "sales", at } });
  await world.ask("POST", "/threads", { metadata: { team: "other" } });
});
beforeEach(async () => {
  await withoutEngine();
  pulumi.runtime.setAllConfig({
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
    "shop:agentKey": world.plane.apiKey,
    "other:agentKey": "wrong-key-of-another",
  });
});

const place = () => world.deployment;

test("finds an assistant by its ID or full name", async () => {
  const found = await getAssistant({ ...place(), assistantId: briefId });
  expect(found).toMatchObject({
    assistantId: briefId,
    graph: "agent",
    name: "Brief",
    context: { style: "brief" },
    metadata: { team: "sales" },
    version: 1,
  });
  expect(await getAssistant({ ...place(), name: "Brief" })).toEqual(found);
  const later = getAssistantOutput({ ...place(), name: pulumi.output("Brief") });
  expect(await valueOf(later)).toEqual(found);
});

test.each([
  [{ assistantId: "00000000-0000-4000-8000-000000000000" }, "Assistant 00000000-"],
  [{ name: "Bri" }, 'An assistant named "Bri" was not found'],
  [{ name: "Twin" }, '2 assistants are named "Twin"'],
  [{}, "requires exactly one of the following: an assistantId or a name"],
  [{ assistantId: "a", name: "b" }, "requires exactly one of the following"],
  [{ assistantId: "" }, "assistantId must not be empty"],
  [{ name: " " }, "name must not be empty"],
])("rejects the assistant arguments %j", async (wanted, text) => {
  await expect(getAssistant({ ...place(), ...wanted } as never)).rejects.toThrow(text);
});

test("lists and filters assistants", async () => {
  const names = async (filters?: object) =>
    (await getAssistants({ ...place(), filters })).map(({ name }) => name);
  expect((await names()).sort()).toEqual(["Brief", "Brief two", "Twin", "Twin", "agent"]);
  expect((await names({ nameContains: "Brief" })).sort()).toEqual(["Brief", "Brief two"]);
  expect(await names({ metadata: { team: "sales" } })).toEqual(["Brief"]);
  expect(await names({ graph: "none" })).toEqual([]);
  const later = getAssistantsOutput({ ...place(), filters: { nameContains: pulumi.output("two") } });
  expect(await valueOf(later)).toMatchObject([{ name: "Brief two" }]);
});

test("finds a store item, and reports a missing one", async () => {
  const found = await getStoreItem({ ...place(), namespace: ["a", "b"], key: "k.1" });
  expect(found).toEqual({ namespace: ["a", "b"], key: "k.1", value: { deep: { x: 1 } } });
  const later = getStoreItemOutput({ ...place(), namespace: ["a", pulumi.output("b")], key: "k.1" });
  expect(await valueOf(later)).toEqual(found);
  await expect(getStoreItem({ ...place(), namespace: ["a"], key: "k.1" })).rejects.toThrow(
    'Store item "k.1" in namespace a was not found on this agent server.',
  );
});

test.each([[["a.b"]], [[]], [["a", ""]]])(
  "rejects the namespace %j, which could match another one",
  async (namespace) => {
    world.forget();
    await expect(getStoreItem({ ...place(), namespace, key: "k.1" })).rejects.toThrow(
      `namespace must have at least one label, and no label may be empty or contain a dot: ${JSON.stringify(namespace)}.`,
    );
    expect(world.admin.journal({ agents: true })).toEqual([]);
  },
);

test("returns threads that match the filters, newest first and without their messages", async () => {
  const found = await searchThreads({ ...place(), filters: { metadata: { team: "sales" } } });
  expect(found.map(({ metadata }) => metadata!["at"])).toEqual([2, 1, 0]);
  expect(Object.keys(found[0]!).sort()).toEqual(["createdAt", "metadata", "status", "threadId", "updatedAt"]);
  expect(await searchThreads({ ...place(), limit: 2 })).toHaveLength(2);
  expect(await searchThreads({ ...place(), filters: { status: "busy" } })).toEqual([]);
  const later = searchThreadsOutput({ ...place(), filters: { metadata: { team: pulumi.output("other") } } });
  expect(await valueOf(later)).toHaveLength(1);
  await expect(searchThreads({ ...place(), limit: 0 })).rejects.toThrow("limit must be a positive integer");
});

test("sends the configured key to an agent server outside the control plane", async () => {
  const { url } = place().deployment;
  const by = (apiKeyFrom: string) => getAssistants({ connection: { url, apiKeyFrom } });
  expect(await by("agentKey")).toHaveLength(5);
  expect(await by("shop:agentKey")).toHaveLength(5);
  await expect(by("other:agentKey")).rejects.toThrow(/401|403/);
  await expect(by("other:agentKey")).rejects.not.toThrow("wrong-key");
  await expect(by("noKey")).rejects.toThrow("connection.apiKeyFrom is noKey");
});

test("uses the connection of a deployment on another control plane", async () => {
  pulumi.runtime.setAllConfig({ "shop:agentKey": world.plane.apiKey });
  const { baseUrl, tenantId } = world.plane;
  const connection = { baseUrl, tenantId, apiKeyFrom: "shop:agentKey" };
  const deployment = await getDeployment({ id: place().deployment.id, connection });
  expect(deployment.connection).toEqual(connection);
  expect(await getAssistants({ deployment })).toHaveLength(5);
  const later = getAssistantsOutput({ deployment: { ...deployment, url: deployment.url } });
  expect(await valueOf(later)).toHaveLength(5);
  expect((await getDeployments({ connection })).map(({ id }) => id)).toContain(deployment.id);
  expect(await getRevisions(deployment.id, connection)).toHaveLength(1);
});

test("does not send a key over plain HTTP to another host", async () => {
  const connection = { url: "http://agents.example.com", apiKeyFrom: "agentKey" };
  await expect(getAssistants({ connection })).rejects.toThrow("https://");
  const deployment = { id: "d", url: "http://agents.example.com" };
  await expect(searchThreads({ deployment })).rejects.toThrow("https://");
});

test("reports that a deployment has no URL", async () => {
  await expect(getAssistants({ deployment: { id: "d-1" } })).rejects.toThrow(
    "Deployment d-1 has no address yet.",
  );
});

test("rejects a deployment combined with a connection", async () => {
  const both = { ...place(), connection: { url: "https://agents.example.com" } } as never;
  await expect(getAssistants(both)).rejects.toThrow("connection cannot be combined with deployment");
  expect(() => getAssistantsOutput(both)).toThrow("connection cannot be combined with deployment");
});

test.each([
  ["connection", "must not contain a user name or a password", (url: string) => ({ connection: { url } })],
  [
    "deployment",
    "http://***@127.0.0.1:1 received no response",
    (url: string) => ({ deployment: { id: "d", url } }),
  ],
])("hides a password in the URL of a %s", async (_of, text, at) => {
  const asked = getAssistants(at("http://me:s3cret@127.0.0.1:1"));
  await expect(asked).rejects.toThrow(text);
  await expect(asked).rejects.not.toThrow("s3cret");
});

test.each(["agents.example.com", "ftp://agents.example.com"])("rejects the URL %s", async (url) => {
  await expect(getAssistants({ connection: { url } })).rejects.toThrow(
    "The agent server's address (connection.url) must start with https:// or http://.",
  );
});

test("returns each assistant and thread exactly once across several pages", async () => {
  const many = Array.from({ length: 205 }, (_, at) => at);
  for (const at of many) {
    await world.ask("POST", "/assistants", { graph_id: "agent", name: `Many ${at}` });
    await world.ask("POST", "/threads", { metadata: { many: true, at } });
  }
  const names = (await getAssistants({ ...place(), filters: { nameContains: "Many" } })).map(
    ({ name }) => name,
  );
  expect(names).toEqual(many.map((at) => `Many ${at}`));
  const filters = { metadata: { many: true } };
  const newest = (await searchThreads({ ...place(), filters, limit: 150 })).map(
    ({ metadata }) => metadata!["at"],
  );
  expect(newest).toEqual(many.toReversed().slice(0, 150));
  expect(await searchThreads({ ...place(), filters, limit: 1_000 })).toHaveLength(205);
});
