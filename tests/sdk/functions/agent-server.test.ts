import * as pulumi from "@pulumi/pulumi";
import {
  getAssistant,
  getAssistantOutput,
  getAssistants,
  getAssistantsOutput,
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

test("an assistant is found by its id, and by its whole name", async () => {
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
  [{ assistantId: "00000000-0000-4000-8000-000000000000" }, "There is no assistant 00000000-"],
  [{ name: "Bri" }, 'There is no assistant named "Bri"'],
  [{ name: "Twin" }, '2 assistants are named "Twin"'],
  [{}, "needs an assistantId or a name"],
  [{ assistantId: "a", name: "b" }, "and only one of them"],
  [{ assistantId: "" }, "assistantId must not be empty"],
  [{ name: " " }, "name must not be empty"],
])("an assistant that %j does not name is an error", async (wanted, text) => {
  await expect(getAssistant({ ...place(), ...wanted } as never)).rejects.toThrow(text);
});

test("assistants are listed, and narrowed down", async () => {
  const names = async (filters?: object) =>
    (await getAssistants({ ...place(), filters })).map(({ name }) => name);
  expect((await names()).sort()).toEqual(["Brief", "Brief two", "Twin", "Twin", "agent"]);
  expect((await names({ nameContains: "Brief" })).sort()).toEqual(["Brief", "Brief two"]);
  expect(await names({ metadata: { team: "sales" } })).toEqual(["Brief"]);
  expect(await names({ graph: "none" })).toEqual([]);
  const later = getAssistantsOutput({ ...place(), filters: { nameContains: pulumi.output("two") } });
  expect(await valueOf(later)).toMatchObject([{ name: "Brief two" }]);
});

test("an item of the store is found, and one that is not there is an error", async () => {
  const found = await getStoreItem({ ...place(), namespace: ["a", "b"], key: "k.1" });
  expect(found).toEqual({ namespace: ["a", "b"], key: "k.1", value: { deep: { x: 1 } } });
  const later = getStoreItemOutput({ ...place(), namespace: ["a", pulumi.output("b")], key: "k.1" });
  expect(await valueOf(later)).toEqual(found);
  await expect(getStoreItem({ ...place(), namespace: ["a"], key: "k.1" })).rejects.toThrow(
    'There is no store item "k.1" in a at this agent server.',
  );
});

test.each([[["a.b"]], [[]], [["a", ""]]])(
  "the namespace %j leads to no item of another one",
  async (namespace) => {
    world.forget();
    await expect(getStoreItem({ ...place(), namespace, key: "k.1" })).rejects.toThrow(
      `namespace must have one label at least, none of them empty or with a dot, and is ${JSON.stringify(namespace)}.`,
    );
    expect(world.admin.journal({ agents: true })).toEqual([]);
  },
);

test("threads are found by what is known of them, the newest first, without what was said", async () => {
  const found = await searchThreads({ ...place(), filters: { metadata: { team: "sales" } } });
  expect(found.map(({ metadata }) => metadata!["at"])).toEqual([2, 1, 0]);
  expect(Object.keys(found[0]!).sort()).toEqual(["createdAt", "metadata", "status", "threadId", "updatedAt"]);
  expect(await searchThreads({ ...place(), limit: 2 })).toHaveLength(2);
  expect(await searchThreads({ ...place(), filters: { status: "busy" } })).toEqual([]);
  const later = searchThreadsOutput({ ...place(), filters: { metadata: { team: pulumi.output("other") } } });
  expect(await valueOf(later)).toHaveLength(1);
  await expect(searchThreads({ ...place(), limit: 0 })).rejects.toThrow(
    "limit must be a whole number from 1",
  );
});

test("any other agent server is asked with the key that the configuration has for it", async () => {
  const { url } = place().deployment;
  const by = (apiKeyFrom: string) => getAssistants({ connection: { url, apiKeyFrom } });
  expect(await by("agentKey")).toHaveLength(5);
  expect(await by("shop:agentKey")).toHaveLength(5);
  await expect(by("other:agentKey")).rejects.toThrow(/401|403/);
  await expect(by("other:agentKey")).rejects.not.toThrow("wrong-key");
  await expect(by("noKey")).rejects.toThrow("connection.apiKeyFrom names noKey");
});

test("no key goes over plain HTTP to another host", async () => {
  const connection = { url: "http://agents.example.com", apiKeyFrom: "agentKey" };
  await expect(getAssistants({ connection })).rejects.toThrow("https://");
  const deployment = { id: "d", url: "http://agents.example.com" };
  await expect(searchThreads({ deployment })).rejects.toThrow("https://");
});

test("a deployment without an address is said so", async () => {
  await expect(getAssistants({ deployment: { id: "d-1" } })).rejects.toThrow(
    "Deployment d-1 has no address yet.",
  );
});

test("a deployment and a connection are not given together", async () => {
  const both = { ...place(), connection: { url: "https://agents.example.com" } } as never;
  await expect(getAssistants(both)).rejects.toThrow("connection cannot be given together with deployment");
  expect(() => getAssistantsOutput(both)).toThrow("connection cannot be given together with deployment");
});

test.each([
  ["connection", "must not hold a user name or a password", (url: string) => ({ connection: { url } })],
  ["deployment", "http://***@127.0.0.1:1 got no answer", (url: string) => ({ deployment: { id: "d", url } })],
])("a password in the address of a %s is not shown", async (_of, text, at) => {
  const asked = getAssistants(at("http://me:s3cret@127.0.0.1:1"));
  await expect(asked).rejects.toThrow(text);
  await expect(asked).rejects.not.toThrow("s3cret");
});

test.each(["agents.example.com", "ftp://agents.example.com"])("the address %s is none", async (url) => {
  await expect(getAssistants({ connection: { url } })).rejects.toThrow(
    "The agent server's address (connection.url) must start with https:// or http://.",
  );
});

test("more assistants and threads than fit on a page are all found, each once", async () => {
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
