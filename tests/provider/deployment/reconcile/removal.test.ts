import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { Stack } from "../../stack";
import { agent, World } from "../../world";

const dialects = ["interface", "langsmith"] as const;
type Values = Record<string, string>;

/** Returns the environment on the control plane, without the ownership tag. */
async function environmentAt(world: World, stack: Stack): Promise<Values> {
  const { secrets } = (await world.record(stack)) as { secrets: { name: string; value: string }[] };
  const others = secrets.filter(({ name }) => name !== "AGENTSERVER_OWNER");
  return Object.fromEntries(others.map(({ name, value }) => [name, value]));
}

/** Adds or changes variables and keeps the others, in the same way as a dashboard. */
async function setVariables(world: World, stack: Stack, values: Values): Promise<void> {
  const { secrets } = (await world.record(stack)) as { secrets: { name: string }[] };
  const kept = secrets.filter(({ name }) => !Object.hasOwn(values, name));
  const set = Object.entries(values).map(([name, value]) => ({ name, value }));
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, { secrets: [...kept, ...set] });
  await world.clock.advance(60_000);
}

/** Simulates a push to the branch of the deployment. */
async function push(world: World, stack: Stack): Promise<void> {
  world.admin.pushRevision(stack.deploymentId);
  await world.clock.advance(60_000);
  world.forget();
}

const plain = (environmentVariables: Values, change: Partial<DeploymentInputs> = {}) =>
  agent({ secrets: undefined, environmentVariables, ...change });

const sized = (resourceSpec: Record<string, unknown>, change: Partial<DeploymentInputs> = {}) =>
  agent({ ...change, sourceConfig: { ...agent().sourceConfig, resourceSpec } });

const patched = (world: World) => world.writes.map(({ body }) => Object.keys(body as object).sort());

/** Removes the resource from the state and starts a new provider. */
function forget(world: World, stack: Stack): void {
  Object.assign(stack, { id: undefined, inputs: {}, outputs: {}, incomplete: false, host: world.host() });
  world.forget();
}

async function converges(world: World, stack: Stack, inputs: DeploymentInputs): Promise<void> {
  world.forget();
  expect(await stack.up(inputs)).toEqual({ step: "same", checkFailures: [] });
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(inputs)).toEqual({ step: "same", checkFailures: [] });
  expect(world.writes).toEqual([]);
}

describe.each(dialects)("a variable that the program no longer declares (%s dialect)", (dialect) => {
  test.each<[string, Partial<DeploymentInputs>]>([
    ["omitted", {}],
    ["revise", { rollout: { onSecretChange: "revise" } }],
  ])("is removed after a push by others, with onSecretChange %s", async (_, change) => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain({ OLD: "1", MODE: "a" }, change));
    await push(world, stack);
    const { resources } = await revisionsOf(world, stack);

    expect((await stack.up(plain({ MODE: "a" }, change))).failure).toBeUndefined();

    expect(await environmentAt(world, stack)).toEqual({ MODE: "a" });
    const isRevised = dialect === "langsmith" || change.rollout !== undefined;
    expect((await revisionsOf(world, stack)).resources).toHaveLength(resources.length + (isRevised ? 1 : 0));
    await converges(world, stack, plain({ MODE: "a" }, change));
  });

  test("is removed when a create is resumed", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain({ OLD: "1", MODE: "a" }));
    // In the other dialect, a foreign variable creates a foreign revision, so the create would fail with a conflict.
    if (dialect === "interface") await setVariables(world, stack, { THEIRS: "kept" });
    forget(world, stack);

    expect(await stack.up(plain({ MODE: "a" }))).toEqual({ step: "create", checkFailures: [] });

    const kept = dialect === "interface" ? { THEIRS: "kept" } : {};
    expect(await environmentAt(world, stack)).toEqual({ MODE: "a", ...kept });
    await converges(world, stack, plain({ MODE: "a" }));
  });

  test.each<[string, Values]>([
    ["one", { BIG: "x".repeat(60_000) }],
    ["all", {}],
  ])("is removed if a failure left only a digest of variables in state (removed: %s)", async (_, left) => {
    const world = await World.start({ dialect });
    world.admin.steer({ verdict: "DEPLOY_FAILED", times: 1 });
    const stack = world.stack();
    await stack.up(plain({ BIG: "x".repeat(60_000), OLD: "1" }));
    expect(stack.state.omitted).toHaveProperty("environmentVariables");
    await setVariables(world, stack, { THEIRS: "kept" });

    expect((await stack.up(plain(left))).failure).toBeUndefined();

    expect(await environmentAt(world, stack)).toEqual({ ...left, THEIRS: "kept" });
    await converges(world, stack, plain(left));
  });

  test("is removed if only an interrupted update has sent it", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain({ MODE: "a" }));
    const kept = { id: stack.id, inputs: stack.inputs, outputs: stack.outputs };
    await stack.up(plain({ MODE: "a", NEW: "1" }));
    Object.assign(stack, kept, { host: world.host() });
    await stack.refresh();
    expect(stack.inputs).toMatchObject({ environmentVariables: { MODE: "a", NEW: "1" } });

    expect((await stack.up(plain({ MODE: "a" }))).step).toBe("update");

    expect(await environmentAt(world, stack)).toEqual({ MODE: "a" });
  });

  test("is kept if the program stopped managing it earlier", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain({ OLD: "1" }));
    await stack.up(agent({ secrets: undefined }));
    expect((await stack.up(plain({ MODE: "a" }))).failure).toBeUndefined();
    expect(await environmentAt(world, stack)).toEqual({ OLD: "1", MODE: "a" });
    expect((await stack.up(plain({}))).failure).toBeUndefined();
    expect(await environmentAt(world, stack)).toEqual({ OLD: "1" });
  });

  test("causes no request if an interrupted update has already removed it", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain({ OLD: "1", MODE: "a" }));
    const kept = { id: stack.id, inputs: stack.inputs, outputs: stack.outputs };
    expect((await stack.up(plain({ MODE: "a" }))).failure).toBeUndefined();
    const { latestRevisionId } = stack.state;
    Object.assign(stack, kept, { host: world.host() });
    world.forget();

    expect(await stack.up(plain({ MODE: "a" }))).toEqual({ step: "update", checkFailures: [] });

    expect(world.writes).toEqual([]);
    expect(world.log.lines("info").join()).toContain("already has the desired environmentVariables.OLD");
    expect(world.log.lines("warning")).toEqual([]);
    expect(stack.state).toMatchObject({ latestRevisionId, settledRevision: { id: latestRevisionId } });
  });
});

describe.each(dialects)("an update that starts to manage secrets (%s dialect)", (dialect) => {
  test.each<[string, DeploymentInputs, DeploymentInputs, Values]>([
    ["an empty map", agent({ secrets: undefined }), agent({ secrets: {} }), {}],
    [
      "an empty map in addition to plain variables",
      plain({ A: "1" }),
      plain({ A: "1" }, { secrets: {} }),
      { A: "1" },
    ],
    ["secrets instead of plain variables", plain({ A: "1" }), agent({ secrets: { A: "1" } }), { A: "1" }],
    ["an empty map of secrets instead of one of plain variables", plain({}), agent({ secrets: {} }), {}],
  ])("clears secrets that others set if the program declares %s", async (_, before, after, expected) => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(before);
    await setVariables(world, stack, { THEIRS: "other" });
    world.forget();

    expect((await stack.up(after)).failure).toBeUndefined();

    expect(await environmentAt(world, stack)).toEqual(expected);
    expect(patched(world)).toEqual([["secrets"]]);
    await converges(world, stack, after);
  });

  test("sends nothing if others have set no secrets", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain({ A: "1" }));
    expect((await stack.up(agent({ secrets: { A: "1" } }))).step).toBe("update");
    expect(world.writes).toEqual([]);
    await converges(world, stack, agent({ secrets: { A: "1" } }));
  });
});

test("keeps secrets that are no longer managed, but removes a plain variable", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const stack = await world.deployed(
    agent({ secrets: { S: "1" }, environmentVariables: { A: "1", B: "2" } }),
  );
  await push(world, stack);
  expect((await stack.up(plain({ A: "1" }))).failure).toBeUndefined();
  expect(await environmentAt(world, stack)).toEqual({ S: "1", A: "1" });
});

describe.each(dialects)("a resourceSpec key that the program no longer declares (%s dialect)", (dialect) => {
  const specAt = async (world: World, stack: Stack) =>
    ((await world.record(stack)) as { source_config: { resource_spec: object } }).source_config.resource_spec;
  const full = { cpu: 2, maxScale: 3, labels: { a: "1", b: "2" } };

  test.each([
    ["key", { cpu: 2, labels: { a: "1", b: "2" } }],
    ["inner key", { cpu: 2, maxScale: 3, labels: { a: "1" } }],
  ])("is removed after a push by others: %s", async (_, left) => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(sized(full));
    await push(world, stack);

    expect((await stack.up(sized(left))).failure).toBeUndefined();

    expect(patched(world)).toEqual([["source_config"]]);
    const spec = await specAt(world, stack);
    expect([(spec as { max_scale?: number }).max_scale === 3, (spec as { labels: object }).labels]).toEqual([
      "maxScale" in left,
      left.labels,
    ]);
    await converges(world, stack, sized(left));
  });

  test("is removed when a create is resumed; a second resume sends nothing", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(sized(full));
    forget(world, stack);
    expect((await stack.up(sized({ cpu: 2, labels: full.labels }))).failure).toBeUndefined();
    expect(patched(world)).toEqual([
      dialect === "langsmith" ? ["secrets", "source_config"] : ["source_config"],
    ]);
    expect(await specAt(world, stack)).not.toHaveProperty("max_scale", 3);

    forget(world, stack);
    expect((await stack.up(sized({ cpu: 2, labels: full.labels }))).step).toBe("create");
    expect(world.writes).toEqual([]);
  });

  test("is removed if a failure left only a digest of resourceSpec in state", async () => {
    const world = await World.start({ dialect });
    world.admin.steer({ verdict: "DEPLOY_FAILED", times: 1 });
    const stack = world.stack();
    const labels = { big: "x".repeat(60_000) };
    await stack.up(sized({ cpu: 2, maxScale: 3, labels }));
    expect(stack.state.omitted).toHaveProperty(["sourceConfig.resourceSpec"]);
    expect((await stack.up(sized({ cpu: 2, labels }))).failure).toBeUndefined();
    expect(await specAt(world, stack)).not.toHaveProperty("max_scale", 3);
    await converges(world, stack, sized({ cpu: 2, labels }));
  });

  test("is removed even if the first request is lost before it arrives", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(sized(full));
    world.admin.fault({
      kind: "reset",
      when: "before",
      method: "PATCH",
      path: "/v2/deployments/:id",
      times: 1,
    });
    expect((await stack.up(sized({ cpu: 2, labels: full.labels }))).failure).toBeUndefined();
    expect(await specAt(world, stack)).not.toHaveProperty("max_scale", 3);
  });

  test("causes no request if an interrupted update has already removed it", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(sized(full));
    const kept = { id: stack.id, inputs: stack.inputs, outputs: stack.outputs };
    await stack.up(sized({ cpu: 2, labels: full.labels }));
    Object.assign(stack, kept, { host: world.host() });
    world.forget();
    expect((await stack.up(sized({ cpu: 2, labels: full.labels }))).step).toBe("update");
    expect(world.writes).toEqual([]);
  });
});

async function revisionsOf(world: World, stack: Stack): Promise<{ resources: object[] }> {
  return (await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`)) as {
    resources: object[];
  };
}
