import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { agent, World } from "../../world";

const start = (): Promise<World> => World.start({ dialect: "langsmith" });

const bodies = (world: World): unknown[] =>
  world.writes.map(({ method, path, body }) => [method, path.split("/").at(-1), body]);

/** Returns the names of the fields in the body of each write. */
const sent = (world: World): unknown[] => world.writes.map(({ body }) => Object.keys(body as object));

const dedicated = (change: Partial<DeploymentInputs> = {}): DeploymentInputs =>
  agent({ ...change, sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" } });

/** Returns the inputs of a deployment from an image. */
const image = (change: Partial<DeploymentInputs> = {}): DeploymentInputs => ({
  name: "support-agent",
  source: "external_docker",
  sourceConfig: { resourceSpec: {} },
  sourceRevisionConfig: { imageUri: "registry.test/agent:1" },
  ...change,
});

const revisionsOf = async (world: World, id: string): Promise<number> => {
  const { resources } = (await world.request("GET", `/v2/deployments/${id}/revisions`)) as { resources: [] };
  return resources.length;
};

test("sends a PATCH with the settings that a POST cannot contain, without a new revision", async () => {
  const world = await start();
  const stack = world.stack();
  const wanted = agent({
    displayName: "Support",
    trackedRepoRef: "release",
    shareable: true,
    routeThroughGateway: true,
  });
  expect(await stack.up(wanted)).toEqual({ step: "create", checkFailures: [] });
  expect(bodies(world)).toMatchObject([
    ["POST", "deployments", { shareable: true, route_through_gateway: true }],
    ["PATCH", stack.deploymentId, { display_name: "Support", tracked_repo_ref: "release" }],
  ]);
  expect(await world.record(stack)).toMatchObject({
    display_name: "Support",
    shareable: true,
    route_through_gateway: true,
    source_config: { repo_branch: "release" },
  });
  expect(await revisionsOf(world, stack.deploymentId)).toBe(1);
  world.forget();
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(wanted)).toMatchObject({ step: "same" });
  expect(world.writes).toEqual([]);
});

test("patches only a setting, without creating a revision", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ displayName: "Support" }));
  const revision = stack.state.latestRevisionId;
  expect(await stack.up(agent({ displayName: "Help", routeThroughGateway: true }))).toMatchObject({
    step: "update",
  });
  expect(bodies(world)).toEqual([
    ["PATCH", stack.deploymentId, { display_name: "Help", route_through_gateway: true }],
  ]);
  expect(stack.state).toMatchObject({ displayName: "Help", latestRevisionId: revision });
  world.forget();
  expect(await stack.up(agent())).toMatchObject({ step: "update" });
  expect(world.writes).toEqual([]);
});

test("reports an externally changed setting as drift, and restores it", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ displayName: "Support" }));
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, { display_name: "Mine" });
  expect(await stack.refresh()).toBe(true);
  expect(stack.inputs).toMatchObject({ displayName: "Mine" });
  await stack.up(agent({ displayName: "Support" }));
  expect(await world.record(stack)).toMatchObject({ display_name: "Support" });
});

test("sets shareable only on creation", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ shareable: false }));
  expect(await stack.preview(agent({ shareable: true }))).toMatchObject({ replaces: ["shareable"] });
});

test("creates one additional revision for the tier when creating a deployment", async () => {
  const world = await start();
  const stack = world.stack();
  expect(await stack.up(dedicated({ deploymentTier: "DEDICATED_M" }))).toMatchObject({ step: "create" });
  expect(await revisionsOf(world, stack.deploymentId)).toBe(2);
  expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED", id: stack.state.latestRevisionId });
  world.forget();
  expect(await stack.up(dedicated({ deploymentTier: "DEDICATED_L" }))).toMatchObject({ step: "update" });
  expect(bodies(world)).toEqual([["PATCH", stack.deploymentId, { deployment_tier: "DEDICATED_L" }]]);
  expect(await revisionsOf(world, stack.deploymentId)).toBe(3);
});

test("changes compute and database sizes in a separate request, and waits for it", async () => {
  const world = await start();
  const stack = await world.deployed(dedicated());
  await stack.up(dedicated({ computeTier: "DEDICATED_M", databaseTier: "DEDICATED_L", displayName: "Big" }));
  expect(bodies(world)).toEqual([
    ["PATCH", stack.deploymentId, { display_name: "Big" }],
    ["PATCH", "resource-tiers", { compute_tier: "DEDICATED_M", database_tier: "DEDICATED_L" }],
  ]);
  expect(await revisionsOf(world, stack.deploymentId)).toBe(2);
  expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED", id: stack.state.latestRevisionId });
  world.forget();
  await stack.refresh();
  expect(
    await stack.up(
      dedicated({ computeTier: "DEDICATED_M", databaseTier: "DEDICATED_L", displayName: "Big" }),
    ),
  ).toMatchObject({ step: "same" });
});

test("creates only one revision if the response to new sizes is lost", async () => {
  const world = await start();
  const stack = await world.deployed(dedicated());
  world.admin.fault({
    kind: "reset",
    when: "after",
    method: "PATCH",
    path: "/v2/deployments/:id/resource-tiers",
  });
  expect(await stack.up(dedicated({ computeTier: "DEDICATED_M" }))).toMatchObject({ step: "update" });
  expect(await revisionsOf(world, stack.deploymentId)).toBe(2);
});

test("sends the rest of a partly rejected create in the next update", async () => {
  const world = await start();
  const stack = world.stack();
  world.admin.fault({ kind: "status", status: 400, method: "PATCH" });
  const { failure } = await stack.up(agent({ displayName: "Support" }));
  expect(failure?.reasons?.join("\n")).toMatch(
    /was created, but the operation is not finished: .*Run `pulumi up` again/s,
  );
  expect(failure?.id).toBe(stack.deploymentId);
  world.forget();
  expect(await stack.up(agent({ displayName: "Support" }))).toMatchObject({ step: "update" });
  expect(bodies(world)).toEqual([["PATCH", stack.deploymentId, { display_name: "Support" }]]);
  expect(await revisionsOf(world, stack.deploymentId)).toBe(1);
});

test("sets, changes, and clears references to cluster secrets", async () => {
  const world = await start();
  const references = { TOKEN: { secretName: "agent", secretKey: "token" } };
  const stack = await world.deployed(image({ secretReferences: references }));
  expect(await world.record(stack)).toMatchObject({
    secret_references: [{ name: "TOKEN", secret_name: "agent", secret_key: "token" }],
  });
  await stack.up(image({ secretReferences: {} }));
  expect(bodies(world)).toEqual([["PATCH", stack.deploymentId, { secret_references: [] }]]);
  expect(await revisionsOf(world, stack.deploymentId)).toBe(2);
  await stack.refresh();
  expect(await stack.up(image({ secretReferences: {} }))).toMatchObject({ step: "same" });
});

describe("a different repository", () => {
  const moved = agent({
    sourceConfig: { ...agent().sourceConfig, repoUrl: "https://git.example.com/b.git" },
  });

  test("is patched together with the revision that is built from it", async () => {
    const world = await start();
    const stack = await world.deployed();
    const { deploymentId } = stack;
    expect(await stack.up(moved)).toMatchObject({ step: "update" });
    expect(stack.deploymentId).toBe(deploymentId);
    expect(sent(world)).toEqual([["source_config", "source_revision_config"]]);
    expect(await revisionsOf(world, deploymentId)).toBe(2);
  });

  test("replaces the deployment if the control plane cannot change it", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    expect(await stack.preview(moved)).toMatchObject({ replaces: ["sourceConfig"] });
  });

  test("is reported with instructions if a control plane rejects it", async () => {
    const world = await start();
    const stack = await world.deployed();
    const fixed = "Source configuration error: 'source_config.repo_url' cannot be changed.";
    world.admin.fault({ kind: "status", status: 400, detail: fixed, method: "PATCH" });
    const { failure } = await stack.up(moved);
    expect(failure?.message).toMatch(
      /cannot be changed.*replaceOnChanges: \["sourceConfig\.repoUrl"\].*deleteBeforeReplace: true/s,
    );
    expect(await revisionsOf(world, stack.deploymentId)).toBe(1);
  });
});

describe("a protected deployment", () => {
  const safe = agent({ deletionProtection: true });

  test("is not deleted until an update has disabled the protection", async () => {
    const world = await start();
    const stack = await world.deployed(safe);
    await expect(stack.destroy()).rejects.toThrow(/was not deleted because deletionProtection is set/);
    expect(world.writes).toEqual([]);
    await stack.up(agent({ deletionProtection: false }));
    expect(world.writes).toEqual([]);
    await stack.destroy();
    expect(world.writes.map(({ method }) => method)).toEqual(["DELETE"]);
  });

  test("is not replaced, and the preview reports this", async () => {
    const world = await start();
    const stack = await world.deployed(safe);
    const { failures } = await stack.check({ ...safe, name: "another" });
    expect(failures).toEqual([
      {
        property: "",
        reason: expect.stringMatching(/^deletionProtection: prevents the replacement of the deployment/),
      },
    ]);
    expect((await stack.check(agent({ name: "another" }))).failures).toHaveLength(1);
    const lifted = await stack.check(agent({ name: "another", deletionProtection: false }));
    expect(lifted.failures).toEqual([
      expect.objectContaining({ reason: expect.stringContaining("run `pulumi up` with only that change") }),
    ]);
    await stack.up(agent({ deletionProtection: false }));
    expect((await stack.check(agent({ name: "another", deletionProtection: false }))).failures).toEqual([]);
    expect((await stack.check(agent({ name: "another", deletionProtection: true }))).failures).toHaveLength(
      1,
    );
    expect(world.writes).toEqual([]);
  });
});
