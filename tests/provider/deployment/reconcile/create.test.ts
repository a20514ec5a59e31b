import { agent, canary, World } from "../../world";

test("creates the deployment with one request, and waits until it is deployed", async () => {
  const world = await World.start();
  const stack = world.stack();
  expect(await stack.up(agent())).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes.map(({ method, path, status }) => [method, path, status])).toEqual([
    ["POST", "/api-host/v2/deployments", 201],
  ]);
  expect(stack.state.settledRevision).toMatchObject({
    id: stack.state.latestRevisionId,
    status: "DEPLOYED",
    createdAt: expect.stringMatching(/^2026-01-01T00:00:00/),
    settledAt: new Date(world.clock.now()).toISOString(),
  });
});

test("stores the inputs as declared and the values from the control plane, but no API key", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const { baseUrl, tenantId, apiKey } = world.plane;
  const { latestRevisionId } = stack.state;
  const { __provider: provider, __call: call, ...shown } = stack.outputs;
  expect(shown).toEqual({
    ...agent(),
    url: `${baseUrl}/agents/${stack.id}`,
    latestRevisionId,
    verified: { history: [] },
    settledRevision: expect.objectContaining({ id: latestRevisionId }),
    serving: { revisionId: latestRevisionId, sourceRevisionConfig: agent().sourceRevisionConfig },
    controlPlane: { baseUrl: `${baseUrl}/api-host`, tenantId, dialect: "interface" },
    ownerId: stack.inputs["ownerId"],
    schemaVersion: 1,
    goodRevisionId: latestRevisionId,
    rolledOut: { source: "github", artifact: "v1", graphConfigPath: "langgraph.json" },
    creationId: expect.any(String),
  });
  expect([provider, call]).toEqual([
    expect.stringContaining("pulumi-agentserver/provider"),
    { urn: stack.urn },
  ]);
  expect(JSON.stringify(stack.outputs)).not.toContain(apiKey);
});

test("sends the inputs under their API names, together with the ownership tag", async () => {
  const world = await World.start();
  const inputs = agent({
    sourceConfig: {
      repoUrl: "https://git.example.com/a.git",
      customUrl: null,
      resourceSpec: { minScale: 1 },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  });
  await world.stack().up(inputs);
  expect(world.writes[0]!.body).toEqual({
    name: "support-agent",
    source: "github",
    source_config: {
      repo_url: "https://git.example.com/a.git",
      custom_url: null,
      resource_spec: { min_scale: 1 },
    },
    source_revision_config: { image_uri: "registry.example.com/agent:1" },
    secrets: [
      { name: "MODEL_KEY", value: "[masked]" },
      { name: "AGENTSERVER_OWNER", value: "[masked]" },
    ],
  });
  expect(world.writes[0]!.unknownFields).toEqual([]);
});

test("sends nothing for a second update of the same program", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  expect((await stack.up(agent())).step).toBe("same");
  expect(world.admin.journal()).toEqual([]);
  expect(world.log.said).toEqual([]);
});

test("tags a deployment without secrets", async () => {
  const world = await World.start();
  const stack = await world.deployed(agent({ secrets: undefined }));
  expect(stack.outputs).not.toHaveProperty("secrets");
  const again = world.stack();
  const { failure } = await again.up(agent());
  expect(failure?.message).toContain("is owned by resource ");
});

test("creates several resources of one program concurrently", async () => {
  const world = await World.start();
  const host = world.host();
  const names = ["one", "two", "three"];
  const stacks = names.map(() => Object.assign(world.stack(), { host }));
  const ups = await Promise.all(stacks.map((stack, index) => stack.up(agent({ name: names[index]! }))));
  expect(ups.map(({ step }) => step)).toEqual(["create", "create", "create"]);
  expect(world.admin.journal({ path: "/openapi.json" })).toHaveLength(1);
  expect(world.writes.map(({ body }) => (body as { name: string }).name).sort()).toEqual([...names].sort());
});

test("reports a rejection with the control plane's message", async () => {
  const world = await World.start();
  world.admin.fault({
    kind: "status",
    method: "POST",
    status: 422,
    body: {
      detail: [{ loc: ["body", "source"], msg: `no such source, ${canary}-model`, type: "value_error" }],
    },
  });
  const { failure } = await world.stack().up(agent());
  expect(failure?.message).toBe("POST /v2/deployments returned 422: body.source: no such source, [secret]");
  expect(failure?.id).toBeUndefined();
});

test.each(["interface", "langsmith"] as const)(
  "reads only one page of other deployments (%s dialect)",
  async (dialect) => {
    const world = await World.start({ dialect }, { pageCap: 1 });
    for (let other = 0; other < 12; other += 1) await world.deployed(agent({ name: `other-${other}` }));
    world.forget();
    expect((await world.stack().up(agent())).step).toBe("create");
    const lists = world.admin.journal({ method: "GET", path: "/v2/deployments" });
    // Requests that check the key, requests for the name, and at most one request for other deployments.
    expect(lists.length).toBeLessThanOrEqual(4);
  },
);
