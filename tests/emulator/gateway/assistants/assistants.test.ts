import { Client as AgentServerClient } from "@langchain/langgraph-sdk";
import { type Running, runDeployment } from "../deployment";
import { saying } from "../agent";

let running: Running;
let sdk: AgentServerClient;
beforeAll(async () => {
  running = await runDeployment();
  const { url, plane } = running;
  sdk = new AgentServerClient({ apiUrl: url, apiKey: plane.apiKey, callerOptions: { maxRetries: 0 } });
});

describe("the assistant of a graph", () => {
  test("is restored to its initial state when it is deleted", async () => {
    const first = await sdk.assistants.get("agent");
    await sdk.assistants.update(first.assistant_id, { name: "Renamed", config: { tags: ["mine"] } });
    await sdk.assistants.delete(first.assistant_id);
    const { assistant_id, graph_id, name, config, metadata, version } = await sdk.assistants.get("agent");
    expect({ assistant_id, graph_id, name, config, metadata, version }).toEqual({
      assistant_id: first.assistant_id,
      graph_id: "agent",
      name: "agent",
      config: {},
      metadata: { created_by: "system" },
      version: 1,
    });
    expect(await sdk.assistants.getVersions(first.assistant_id)).toHaveLength(1);
    const { status, body } = await running.client.post("/runs/wait", saying("hi"));
    expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining("heard hi")]);
  });

  test("is not confused with an assistant that only has the same metadata", async () => {
    const metadata = { created_by: "system" };
    const { assistant_id: id } = await sdk.assistants.create({ graphId: "agent", metadata });
    await sdk.assistants.delete(id);
    await expect(sdk.assistants.get(id)).rejects.toThrow("404");
  });
});

test("ignores an empty configuration in a change, as the Python runtime does", async () => {
  const { assistant_id: id } = await sdk.assistants.create({ graphId: "agent", config: { tags: ["a"] } });
  expect(await sdk.assistants.update(id, { config: {} })).toMatchObject({ config: { tags: ["a"] } });
  const { config } = await sdk.assistants.update(id, { config: { configurable: {} } });
  expect(config).toEqual({ configurable: {} });
});

test("accepts UUIDs of any version as IDs", async () => {
  const assistantId = "11111111-2222-3333-4444-555555555555";
  await sdk.assistants.create({ assistantId, graphId: "agent" });
  expect(await sdk.assistants.get(assistantId)).toMatchObject({ assistant_id: assistantId, version: 1 });
  expect(await sdk.assistants.update(assistantId, { name: "Odd" })).toMatchObject({
    name: "Odd",
    version: 2,
  });
  await sdk.assistants.delete(assistantId);
  await expect(sdk.assistants.get(assistantId)).rejects.toThrow("404");
});
