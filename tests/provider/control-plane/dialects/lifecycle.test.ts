import { agent, agentAt, World } from "../../world";

const start = (options = {}): Promise<World> => World.start({ dialect: "langsmith", ...options });
const agents = "/api-host/v2/deployments";

const bodies = (world: World): unknown[] =>
  world.writes.map(({ method, path, body }) => [method, path, body]);

test("accepts an access token instead of a key on the control plane", async () => {
  const world = await start();
  const { apiKey } = world.plane;
  const stack = world.stack({ AGENTSERVER_API_KEY: undefined, AGENTSERVER_ACCESS_TOKEN: apiKey });
  expect(await stack.up(agent())).toMatchObject({ step: "create" });
  expect(await stack.refresh()).toBe(true);
  await stack.destroy();
  const other = world.stack({
    AGENTSERVER_API_KEY: undefined,
    AGENTSERVER_ACCESS_TOKEN: "canary-7f3a-wrong",
  });
  const { failure } = await other.up(agent());
  expect(failure?.message).toMatch(/Check agentserver:accessToken \(AGENTSERVER_ACCESS_TOKEN\)/);
});

test("creates, changes, repairs, and deletes a deployment in the dialect of the public service", async () => {
  const world = await start();
  const stack = world.stack();
  expect(await stack.up(agent())).toMatchObject({ step: "create" });
  expect(stack.state).toMatchObject({
    controlPlane: { dialect: "langsmith" },
    settledRevision: { status: "DEPLOYED" },
    sourceRevisionConfig: { repoRef: "v1", graphConfigPath: "langgraph.json" },
  });
  expect(world.writes).toMatchObject([
    { body: { source_revision_config: { repo_ref: "v1", langgraph_config_path: "langgraph.json" } } },
  ]);
  expect(await stack.up(agent())).toMatchObject({ step: "same" });
  const path = `${agents}/${stack.deploymentId}`;

  // Changes only the flag, so no revision is created.
  world.forget();
  const first = stack.state.latestRevisionId;
  const flagged = agent({ sourceConfig: { ...agent().sourceConfig, buildOnPush: true } });
  await stack.up(flagged);
  expect(bodies(world)).toEqual([["PATCH", path, { source_config: { build_on_push: true } }]]);
  expect(stack.state.latestRevisionId).toBe(first);

  // The secrets alone create a revision.
  world.forget();
  const rotated = { ...flagged, secrets: { OTHER_KEY: "canary-7f3a-other" } };
  await stack.up(rotated);
  expect(world.writes.map(({ body }) => Object.keys(body as object))).toEqual([["secrets"]]);
  const second = stack.state.latestRevisionId;
  expect(second).not.toBe(first);
  expect(stack.state.settledRevision).toMatchObject({ id: second, status: "DEPLOYED" });

  // A failed rollout, and one PATCH that fixes it.
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  const broken = await stack.up({ ...rotated, sourceRevisionConfig: agentAt("v2").sourceRevisionConfig });
  expect(broken.failure?.message).toContain("BUILD_FAILED");
  world.forget();
  await stack.up({ ...rotated, sourceRevisionConfig: agentAt("v3").sourceRevisionConfig });
  expect(bodies(world)).toEqual([
    ["PATCH", path, { source_revision_config: { repo_ref: "v3", langgraph_config_path: "langgraph.json" } }],
  ]);
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  expect(stack.state.serving?.sourceRevisionConfig.graphConfigPath).toBe("langgraph.json");

  // The commit that the ref was resolved to is not drift.
  expect(await stack.refresh()).toBe(true);
  expect(
    await stack.preview({ ...rotated, sourceRevisionConfig: agentAt("v3").sourceRevisionConfig }),
  ).toMatchObject({ changes: false });

  await stack.destroy();
  expect((await world.plane.fetch(new Request(`${world.plane.baseUrl}${path}`))).status).toBe(401);
});

test("omits the source if a changed resourceSpec creates the revision, and otherwise sends it", async () => {
  const world = await start();
  const image = {
    name: "image-agent",
    source: "external_docker",
    sourceConfig: { resourceSpec: { cpu: 1 } },
    sourceRevisionConfig: { imageUri: "agent:1" },
  };
  const stack = world.stack();
  await stack.up(image);
  world.forget();
  await stack.up({ ...image, sourceConfig: { resourceSpec: { cpu: 2 } } });
  await stack.up({
    ...image,
    sourceConfig: { resourceSpec: { cpu: 2 } },
    rollout: { triggers: ["tuesday"] },
  });
  expect(world.writes.map(({ body }) => body)).toEqual([
    { source_config: { resource_spec: { cpu: 2 } } },
    {
      source_revision_config: { image_uri: "agent:1" },
      // The ownership tag records the triggers.
      secrets: [{ name: "AGENTSERVER_OWNER", value: "[masked]" }],
    },
  ]);
  expect(await stack.refresh()).toBe(true);
  expect(
    (
      await stack.preview({
        ...image,
        sourceConfig: { resourceSpec: { cpu: 2 } },
        rollout: { triggers: ["tuesday"] },
      })
    ).changes,
  ).toBe(false);
});

test("requests a revision explicitly if there is no setting to send", async () => {
  const world = await World.start({ dialect: "langsmith" }, { secrets: "omitted" });
  const bare = { name: "bare", source: "internal_template", sourceConfig: {}, sourceRevisionConfig: {} };
  const stack = world.stack();
  await stack.up(bare);
  const first = stack.state.latestRevisionId;
  world.forget();
  await stack.up({ ...bare, rollout: { triggers: ["tuesday"] } });
  expect(world.writes.map(({ method, path }) => [method, path])).toEqual([
    ["POST", `${agents}/${stack.deploymentId}/revisions`],
  ]);
  expect(stack.state.latestRevisionId).not.toBe(first);
  expect(stack.state.settledRevision).toMatchObject({ id: stack.state.latestRevisionId, status: "DEPLOYED" });
});

test("ends a wait when a newer revision supersedes the awaited one, and reports the newer one", async () => {
  const world = await start();
  const stack = await world.deployed(agent());
  // A foreign rollout is in progress; the resource's own is queued behind it, and others push again before it starts.
  world.admin.steer({ pace: { afterSeconds: 600 } });
  world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  let newest = "";
  world.clock.after(60_000, () => {
    newest = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "newer" } });
  });
  const { failure, step } = await stack.up(agentAt("v2"));
  expect([step, failure]).toEqual(["update", undefined]);
  expect(stack.state.settledRevision).toMatchObject({ id: stack.state.latestRevisionId, status: "SKIPPED" });
  expect(JSON.stringify(world.log.said)).toContain(
    `Revision ${stack.state.latestRevisionId} of deployment ${stack.id} was superseded by revision ${newest}`,
  );
  // The skipped revision requires no further requests. The revision that replaced it is reported as drift.
  world.forget();
  expect(await stack.up(agentAt("v2"))).toMatchObject({ step: "same" });
  await world.clock.advance(3_600_000);
  await stack.refresh();
  expect((await stack.preview(agentAt("v2"))).changes).toBe(true);
});

test("reports the same result when an interrupted wait is resumed", async () => {
  const world = await start();
  const stack = await world.deployed(agent());
  world.admin.steer({ pace: { afterSeconds: 600 } });
  world.admin.pushRevision("support-agent", {});
  const short = agentAt("v2", { rollout: { timeout: "1m" } });
  expect((await stack.up(short)).failure?.message).toContain("QUEUED");
  const ours = stack.state.latestRevisionId;
  world.admin.pushRevision("support-agent", {});
  await world.clock.advance(700_000);
  world.forget();
  expect((await stack.up(short)).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(JSON.stringify(world.log.said)).toMatch(
    new RegExp(`Revision ${ours} of deployment \\S+ was superseded by`),
  );
});

test("waits for the revision that an adoption creates by sending secrets", async () => {
  const world = await start();
  await world.request("POST", agents, {
    name: "support-agent",
    source: "github",
    source_config: {
      repo_url: "https://git.example.com/agents.git",
      deployment_type: "prod",
      build_on_push: false,
    },
    source_revision_config: { repo_ref: "v1", langgraph_config_path: "langgraph.json" },
    secrets: [{ name: "MODEL_KEY", value: "canary-7f3a-model" }],
  });
  await world.clock.advance(60_000);
  const stack = world.stack();
  expect((await stack.up(agent({ adopt: "always" }))).failure).toBeUndefined();
  expect(stack.state.settledRevision).toMatchObject({ id: stack.state.latestRevisionId, status: "DEPLOYED" });
});

test("rejects a null that the service would ignore, both before and during the update", async () => {
  const world = await start();
  const wanted = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: "https://a.test" } });
  const cleared = agent({ sourceConfig: { ...agent().sourceConfig, customUrl: null } });
  const found = world.stack();
  await found.up(wanted);
  // In another run, the provider has not detected the dialect before it checks the inputs.
  found.host = world.host();
  expect((await found.up(cleared)).failure?.message).toContain("customUrl cannot be cleared with null");
  const configured = world.stack({ AGENTSERVER_DIALECT: "langsmith" });
  const { checkFailures } = await configured.up(agent({ name: "other", sourceConfig: cleared.sourceConfig }));
  expect(JSON.stringify(checkFailures)).toContain("cannot be cleared with null");
});

test("rejects a reserved secret name in the input check if the dialect is configured", async () => {
  const world = await start();
  const stack = world.stack({ AGENTSERVER_DIALECT: "langsmith" });
  const { checkFailures } = await stack.up(agent({ secrets: { LANGSMITH_PROJECT: "x" } }));
  expect(JSON.stringify(checkFailures)).toContain("is reserved by the control plane");
});

describe("the workspace", () => {
  const without = { AGENTSERVER_DIALECT: "langsmith", AGENTSERVER_TENANT_ID: "" };

  test("is determined by the API key if the dialect is configured", async () => {
    const world = await start();
    const stack = world.stack(without);
    expect((await stack.up(agent())).failure).toBeUndefined();
    expect(stack.state.controlPlane).toMatchObject({ tenantId: world.plane.tenantId, dialect: "langsmith" });
    await stack.destroy();
  });

  test("is required if the API key belongs to a whole organization", async () => {
    const world = await start({ quirks: { organizationKeys: true } });
    const { failure } = await world.stack(without).up(agent());
    expect(failure?.message).toContain("requires workspace specification");
    expect(failure?.message).toContain("agentserver:tenantId");
  });

  test("is required if the dialect is unknown", async () => {
    const world = await start();
    const { checkFailures } = await world.stack({ AGENTSERVER_TENANT_ID: "" }).up(agent());
    expect(JSON.stringify(checkFailures)).toContain("AGENTSERVER_TENANT_ID");
  });
});

test("reports an invalid dialect as a check failure", async () => {
  const world = await start();
  const { checkFailures } = await world.stack({ AGENTSERVER_DIALECT: "english" }).up(agent());
  expect(JSON.stringify(checkFailures)).toContain("must be interface or langsmith");
});

test("reports an orphaned tracing project that still uses the name", async () => {
  const world = await start();
  world.admin.leaveTracingProject("support-agent");
  const { failure } = await world.stack().up(agent());
  expect(failure?.message).toContain("tracing project");
});

test("waits for a slow database", async () => {
  const world = await start({ quirks: { databaseSeconds: 840 } });
  const stack = world.stack();
  expect((await stack.up(agent())).failure).toBeUndefined();
  expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
});

describe("a change to secrets that creates a revision, if the response is lost", () => {
  const rotated = agent({ secrets: { MODEL_KEY: "canary-7f3a-rotated" } });
  const patches = (world: World): number => world.writes.filter(({ method }) => method === "PATCH").length;

  test("does not create a second revision", async () => {
    const world = await start();
    const stack = await world.deployed(agent());
    world.admin.fault({ kind: "reset", when: "after", method: "PATCH" });
    expect((await stack.up(rotated)).failure).toBeUndefined();
    expect(patches(world)).toBe(1);
    expect(stack.state.settledRevision).toMatchObject({
      id: stack.state.latestRevisionId,
      status: "DEPLOYED",
    });
  });

  test("is sent again if the only new revision is foreign", async () => {
    const world = await start();
    const stack = await world.deployed(agent());
    world.admin.fault({ kind: "reset", when: "before", method: "PATCH" });
    let theirs = "";
    world.clock.after(500, () => (theirs = world.admin.pushRevision("support-agent")));
    expect((await stack.up(rotated)).failure).toBeUndefined();
    expect(patches(world)).toBe(2);
    expect(stack.state.latestRevisionId).not.toBe(theirs);
  });
});

describe("a field that only the public service supports", () => {
  const hybrid = (change: object = {}) => ({
    name: "hybrid",
    source: "external_docker",
    sourceConfig: { resourceSpec: {}, listenerConfig: { k8sNamespace: "agents" }, ...change },
    sourceRevisionConfig: { imageUri: "agent:1" },
  });

  test("is sent under its name in the public service, and shows no drift", async () => {
    const world = await start();
    const stack = world.stack();
    expect((await stack.up(hybrid())).failure).toBeUndefined();
    expect(await world.request("GET", `${agents}/${stack.deploymentId}`)).toMatchObject({
      source_config: { listener_config: { k8s_namespace: "agents" } },
    });
    await stack.refresh();
    expect((await stack.preview(hybrid())).changes).toBe(false);
    const moved = await stack.preview(hybrid({ listenerConfig: { k8sNamespace: "others" } }));
    expect(moved.replaces).toEqual(["sourceConfig"]);
  });

  test("is sent without the source if it is a command, and creates a revision", async () => {
    const world = await start();
    const stack = await world.deployed(agent());
    const first = stack.state.latestRevisionId;
    await stack.up(agent({ sourceConfig: { ...agent().sourceConfig, buildCommand: "npm run build" } }));
    expect(world.writes.map(({ body }) => body)).toEqual([
      { source_config: { build_command: "npm run build" } },
    ]);
    expect(stack.state.latestRevisionId).not.toBe(first);
    expect(stack.state.settledRevision).toMatchObject({ id: stack.state.latestRevisionId });
  });

  test("is rejected for a control plane that does not support it", async () => {
    const world = await World.start();
    const { failure } = await world.stack().up(hybrid());
    expect(failure?.message).toContain("sourceConfig.listenerConfig is not supported by this control plane");
    expect(world.writes).toEqual([]);
    const stack = await world.deployed(agent());
    stack.host = world.host();
    const changed = agent({ sourceConfig: { ...agent().sourceConfig, installCommand: "npm ci" } });
    expect((await stack.up(changed)).failure?.message).toContain(
      "sourceConfig.installCommand is not supported",
    );
  });
});

test("recognizes a killed update whose branch was resolved to a commit", async () => {
  const world = await start();
  const stack = await world.deployed(agent());
  const before = { inputs: stack.inputs, outputs: stack.outputs };
  await stack.up(agentAt("v2"));
  const made = stack.state.latestRevisionId;
  Object.assign(stack, before);
  world.forget();
  expect((await stack.up(agentAt("v2"))).step).toBe("update");
  expect(world.writes).toEqual([]);
  expect(stack.state.latestRevisionId).toBe(made);
});
