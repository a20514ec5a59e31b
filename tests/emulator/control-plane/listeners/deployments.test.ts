import { randomUUID } from "node:crypto";
import type { Deployment, Listener } from "../../answers";
import { creation, start, stopAll } from "../client";

afterEach(stopAll);

const path = "/v2/listeners";
const listener = { compute_type: "k8s", compute_id: "cluster", compute_config: {} };

function bodyOf(name: string, config: object = {}): object {
  return {
    name,
    source: "external_docker",
    source_config: { resource_spec: {}, ...config },
    source_revision_config: { image_uri: "registry.test/agent:1" },
    secrets: [],
  };
}

test("requires deployments to specify a listener in a workspace that has listeners", async () => {
  const { client } = await start({ dialect: "langsmith" });
  expect((await client.post("/v2/deployments", bodyOf("before"))).status).toBe(201);
  const one = (await client.post<Listener>(path, listener)).body.id;
  const two = (await client.post<Listener>(path, { ...listener, compute_id: "other" })).body.id;
  expect(await client.post("/v2/deployments", bodyOf("without"))).toMatchObject({
    status: 400,
    body: {
      detail:
        "Source configuration error: 'source_config.listener_id' is required for workspace with available listener " +
        `IDs: ['${one}', '${two}']`,
    },
  });
  const unknown = randomUUID();
  expect(await client.post("/v2/deployments", bodyOf("unknown", { listener_id: unknown }))).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining(`does not refer to a listener of this workspace: '${unknown}'`) },
  });

  const config = { listener_id: two, listener_config: { k8s_namespace: "agents" } };
  const made = await client.post<Deployment>("/v2/deployments", bodyOf("with", config));
  expect(made.status).toBe(201);
  expect(made.body.source_config).toMatchObject(config);
  expect((await client.get<Deployment>(`/v2/deployments/${made.body.id}`)).body.source_config).toMatchObject(
    config,
  );
  const moved = await client.patch(`/v2/deployments/${made.body.id}`, {
    source_config: { listener_id: one },
  });
  expect(moved.status).toBe(400);
});

test("does not require a listener for sources that the public service builds", async () => {
  const { client } = await start({ dialect: "langsmith" });
  await client.post(path, listener);
  const source_revision_config = { repo_ref: "main", langgraph_config_path: "langgraph.json" };
  const { status } = await client.post("/v2/deployments", creation("cloud", { source_revision_config }));
  expect(status).toBe(201);
});

test("ignores the listener in the interface dialect, and records it as an unknown field", async () => {
  const { client, plane } = await start();
  await client.post(path, listener);
  const source_config = { repo_url: "https://example.test/agent.git", listener_id: "x" };
  expect((await client.post("/v2/deployments", creation("agent", { source_config }))).status).toBe(201);
  expect(plane.admin.journal({ path: "/v2/deployments" })).toMatchObject([
    { unknownFields: ["source_config.listener_id"] },
  ]);
});
