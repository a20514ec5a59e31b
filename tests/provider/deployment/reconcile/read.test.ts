import { inClear, isSecret } from "../../wire";
import { agent, agentAt, canary, World } from "../../world";

function patch(world: World, id: string, body: object): Promise<unknown> {
  return world.request("PATCH", `/v2/deployments/${id}`, body);
}

test("finds no drift in a refresh if nothing was changed, even after a long time", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await world.clock.advance(24 * 3_600_000);
  const before = inClear({ inputs: stack.inputs, outputs: stack.outputs });
  expect(await stack.refresh()).toBe(true);
  expect({ inputs: stack.inputs, outputs: stack.outputs }).toEqual(before);
  expect((await stack.up(agent())).step).toBe("same");
});

test("does not report server defaults of unmanaged fields as drift", async () => {
  const world = await World.start();
  const inputs = agent({
    sourceConfig: { customUrl: null, resourceSpec: { minScale: 1 } },
    secrets: undefined,
  });
  const stack = await world.deployed(inputs);
  await patch(world, stack.deploymentId, {
    source_config: { build_on_push: true, resource_spec: { min_scale: 1, max_scale: 4, cpu: null } },
  });
  await stack.refresh();
  expect((await stack.up(inputs)).step).toBe("same");
});

test.each([
  ["buildOnPush", { source_config: { build_on_push: true } }, "sourceConfig.buildOnPush true → false"],
  [
    "resourceSpec",
    { source_config: { resource_spec: { min_scale: 5 } } },
    "sourceConfig.resourceSpec.minScale 5 → 1",
  ],
  ["secrets", { secrets: [{ name: "OTHER", value: `${canary}-other` }] }, "secrets.MODEL_KEY, secrets.OTHER"],
])("detects drift in %s, and corrects it without a revision", async (_field, body, reason) => {
  const world = await World.start();
  const inputs = agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: { minScale: 1 } } });
  const stack = await world.deployed(inputs);
  await patch(world, stack.deploymentId, body);
  await stack.refresh();
  world.forget();
  expect((await stack.up(inputs)).step).toBe("update");
  expect(world.log.kept).toContain(reason);
  expect(Object.keys(world.writes[0]!.body as object)).toEqual(Object.keys(body));
  await stack.refresh();
  expect((await stack.up(inputs)).step).toBe("same");
});

test("detects that others have rolled out a different ref, and reverts this with a revision", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const theirs = world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: "theirs" } });
  await world.clock.advance(60_000);
  await stack.refresh();
  expect(stack.state.sourceRevisionConfig.repoRef).toBe("theirs");
  expect(stack.state.serving).toEqual({
    revisionId: theirs,
    sourceRevisionConfig: { repoRef: "theirs", graphConfigPath: "langgraph.json" },
  });
  world.forget();
  await stack.up(agent());
  expect(world.writes).toHaveLength(1);
  expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe("v1");
  expect(world.log.lines("warning")).toEqual([]);
});

test("marks every secret value as secret, even values that others set", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await patch(world, stack.deploymentId, { secrets: [{ name: "THEIRS", value: `${canary}-theirs` }] });
  const { props, inputs } = await stack.host.read(stack.deploymentId, stack.outputs);
  for (const secrets of [props!["secrets"], inputs!["secrets"]] as object[]) {
    expect(Object.keys(secrets)).toEqual(["THEIRS"]);
    expect(Object.values(secrets).map(isSecret)).toEqual([true]);
  }
});

test("removes a deleted deployment from the state", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const other = world.stack();
  Object.assign(other, { id: stack.id, inputs: stack.inputs, outputs: stack.outputs });
  await other.destroy();
  expect(await stack.refresh()).toBe(false);
});

test("does not treat a wrong path prefix as a deletion", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.fault({ kind: "status", status: 404, path: "/v2/**", detail: "Not Found", times: 9 });
  await expect(stack.refresh()).rejects.toThrow("404");
});

test("reports a rollout that has finished in the meantime", async () => {
  const world = await World.start();
  const stack = world.stack();
  await stack.up(agent({ rollout: { wait: false } }));
  expect(stack.state).not.toHaveProperty("settledRevision");
  await world.clock.advance(60_000);
  await stack.refresh();
  expect(stack.state.settledRevision).toMatchObject({ id: stack.state.latestRevisionId, status: "DEPLOYED" });
  expect(stack.state.url).toContain(stack.deploymentId);
});

test("retries a rollout in the next update if it has failed in the meantime", async () => {
  const world = await World.start();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  const stack = world.stack();
  await stack.up(agentAt("v1", { rollout: { wait: false } }));
  await world.clock.advance(60_000);
  await stack.refresh();
  expect(stack.state.settledRevision?.status).toBe("BUILD_FAILED");
  world.forget();
  await stack.up(agent());
  expect(world.writes).toHaveLength(1);
});

test("reads everything with Deployment.get from the ID alone, without secrets", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const hidden = { __provider: "text", __call: { urn: "urn:pulumi:other" } };
  const { id, props } = await world.host().read(stack.deploymentId, hidden);
  const { secrets: _secrets, ...inputs } = agent();
  expect(id).toBe(stack.id);
  expect(props).toMatchObject({ ...inputs, ...hidden, url: stack.state.url });
  expect(props).toMatchObject({ heldBy: expect.stringContaining("agent"), ownerId: expect.any(String) });
  expect(props).not.toHaveProperty("secrets");
  expect(props).toMatchObject({
    latestRevisionId: stack.state.latestRevisionId,
    settledRevision: { status: "DEPLOYED" },
  });
});

test("stores the sent inputs, marked as secret, until the server has their values again", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const inputs = agentAt("1".repeat(40));
  const stack = await world.deployed(inputs);
  const theirs = { source_config: { repo_url: "https://example.com/theirs" } };
  await patch(world, stack.deploymentId, theirs);
  await stack.refresh();
  const { props } = await stack.host.read(stack.deploymentId, stack.outputs);
  expect(isSecret(props!["sentInputs"])).toBe(true);
  await stack.refresh();
  expect(stack.outputs).toMatchObject({
    sourceConfig: { repoUrl: theirs.source_config.repo_url },
    sentInputs: { sourceConfig: { repoUrl: inputs.sourceConfig.repoUrl } },
  });
  expect((await stack.up(inputs)).step).toBe("update");
  expect(stack.outputs).not.toHaveProperty("sentInputs");
  await patch(world, stack.deploymentId, theirs);
  await stack.refresh();
  await patch(world, stack.deploymentId, { source_config: { repo_url: inputs.sourceConfig.repoUrl } });
  await stack.refresh();
  expect(stack.outputs).not.toHaveProperty("sentInputs");
});

test("imports the serving commit as the source of the stack, even if a later rollout failed", async () => {
  const [one, two] = ["1".repeat(40), "2".repeat(40)] as const;
  const world = await World.start();
  const stack = await world.deployed(agentAt(one));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  world.admin.pushRevision("support-agent", { sourceRevisionConfig: { repo_ref: two } });
  await world.clock.advance(60_000);
  const { props } = await world.host().read(stack.deploymentId, { __call: { urn: stack.urn } });
  expect(props).toMatchObject({ sourceRevisionConfig: { repoRef: two }, rolledOut: { artifact: one } });
});

test("imports the commit of a branch as the source of the stack", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const stack = await world.deployed(agentAt("main"));
  const { props } = await world.host().read(stack.deploymentId, { __call: { urn: stack.urn } });
  expect(props).toMatchObject({
    sourceRevisionConfig: { repoRef: "main" },
    rolledOut: { artifact: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
});

test("finds nothing with Deployment.get if the ID is unknown", async () => {
  const world = await World.start();
  expect(await world.host().read("00000000-0000-4000-8000-000000000000", {})).toEqual({ id: "", props: {} });
});

test("rejects a name instead of an ID, and explains how to find the ID", async () => {
  const world = await World.start();
  await expect(world.host().read("shop-agent", {})).rejects.toThrow(
    '"shop-agent" is not the ID of a deployment; IDs are UUIDs. `npx agentserver export --format import` prints the IDs of all deployments.',
  );
});
