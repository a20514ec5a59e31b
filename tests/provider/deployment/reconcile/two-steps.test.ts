import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

/**
 * Returns the inputs of an agent with this ref and tier. Changing both requires two requests, each of which creates a
 * revision.
 */
const sized = (repoRef: string, computeTier: string, change: Partial<DeploymentInputs> = {}) =>
  agentAt(repoRef, {
    sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" },
    computeTier,
    ...change,
  });

const before = sized("v1", "DEDICATED_M");
const after = sized("v2", "DEDICATED_L");
const tiersPath = "/v2/deployments/:id/resource-tiers";

const requests = (world: World) =>
  world.writes.map(({ path }) =>
    path
      .split("/")
      .at(-1)!
      .replace(/^.{36}$/, "id"),
  );

async function revisionsOf(world: World, stack: Stack): Promise<string[]> {
  const list = await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`);
  return (list as { resources: { id: string }[] }).resources.map(({ id }) => id);
}

async function start(): Promise<{ world: World; stack: Stack; made: number }> {
  const world = await World.start({ dialect: "langsmith" });
  const stack = await world.deployed(before);
  return { world, stack, made: (await revisionsOf(world, stack)).length };
}

/** Checks that the deployment matches the program, with one revision for each of the two changes. */
async function expectDone({ world, stack, made }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const revisions = await revisionsOf(world, stack);
  expect(revisions).toHaveLength(made + 2);
  expect(await world.record(stack)).toMatchObject({ compute_tier: "DEDICATED_L" });
  expect(stack.state).toMatchObject({
    latestRevisionId: revisions[0],
    settledRevision: { id: revisions[0], status: "DEPLOYED" },
    computeTier: "DEDICATED_L",
    sourceRevisionConfig: { repoRef: "v2" },
  });
  world.forget();
  expect((await stack.up(after)).step).toBe("same");
  await stack.refresh();
  expect((await stack.up(after)).step).toBe("same");
  expect(world.writes).toEqual([]);
}

test("sends both steps, and does not report either revision as foreign", async () => {
  const all = await start();
  expect(await all.stack.up(after)).toEqual({ step: "update", checkFailures: [] });
  expect(requests(all.world)).toEqual(["id", "resource-tiers"]);
  expect(all.world.log.lines("warning")).toEqual([]);
  await expectDone(all);
});

test("keeps the first step if the second one is rejected, and then sends only the second", async () => {
  const all = await start();
  const { world, stack } = all;
  world.admin.fault({
    kind: "status",
    status: 400,
    method: "PATCH",
    path: tiersPath,
    detail: "No.",
    times: 1,
  });
  const { failure } = await stack.up(after);
  expect(failure!.id).toBe(stack.deploymentId);
  expect(failure!.reasons!.join("\n")).toMatch(
    /was changed, but the operation is not finished: .*resource-tiers returned 400/,
  );
  expect(stack.state).toMatchObject({ sourceRevisionConfig: { repoRef: "v2" }, computeTier: "DEDICATED_M" });
  await world.clock.advance(120_000);
  world.forget();
  stack.host = world.host();
  expect(await stack.up(after)).toEqual({ step: "update", checkFailures: [] });
  expect(requests(world)).toEqual(["resource-tiers"]);
  expect(world.log.lines("warning")).toEqual([]);
  await expectDone(all);
});

test.each(["before", "after"] as const)(
  "does not create a second revision if the connection is reset %s the second step",
  async (when) => {
    const all = await start();
    all.world.admin.fault({ kind: "reset", when, method: "PATCH", path: tiersPath, times: 1 });
    expect(await all.stack.up(after)).toEqual({ step: "update", checkFailures: [] });
    expect(all.world.log.kept).not.toContain("was not created by");
    await expectDone(all);
  },
);

describe("a killed update", () => {
  async function killed(steps: 1 | 2) {
    const all = await start();
    const { world, stack } = all;
    const kept = { id: stack.id, inputs: stack.inputs, outputs: stack.outputs, incomplete: false };
    if (steps === 1)
      world.admin.fault({ kind: "status", status: 400, method: "PATCH", path: tiersPath, times: 1 });
    await stack.up(after);
    Object.assign(stack, kept, { host: world.host() });
    await world.clock.advance(60_000);
    world.forget();
    return all;
  }

  test.each([
    [1, ["resource-tiers"]],
    [2, []],
  ] as const)("sends only the missing part (completed steps: %d)", async (steps, expected) => {
    const all = await killed(steps);
    expect(await all.stack.up(after)).toEqual({ step: "update", checkFailures: [] });
    expect(requests(all.world)).toEqual(expected);
    expect(all.world.log.lines("warning")).toEqual([]);
    await expectDone(all);
  });

  test("does not fail with onConflict: fail if an earlier update completed only one step", async () => {
    const all = await killed(1);
    const strict = sized("v2", "DEDICATED_L", { rollout: { onConflict: "fail" } });
    expect(await all.stack.up(strict)).toEqual({ step: "update", checkFailures: [] });
  });
});

test("keeps a deployment whose create could not send the second step", async () => {
  const world = await World.start({ dialect: "langsmith" });
  const stack = world.stack();
  world.admin.fault({ kind: "status", status: 400, method: "PATCH", path: tiersPath, times: 1 });
  const { failure } = await stack.up(sized("v1", "DEDICATED_L", { displayName: "Support" }));
  expect(failure!.reasons!.join("\n")).toContain("was created, but the operation is not finished");
  expect(stack.state).toMatchObject({ displayName: "Support" });
  world.forget();
  expect((await stack.up(sized("v1", "DEDICATED_L", { displayName: "Support" }))).failure).toBeUndefined();
  expect(requests(world)).toEqual(["resource-tiers"]);
  expect(await revisionsOf(world, stack)).toHaveLength(2);
});

test("adopts a deployment with two steps, and keeps it if the second one is rejected", async () => {
  const world = await World.start({ dialect: "langsmith" });
  await world.deployed(before);
  const stack = world.stack();
  world.admin.fault({ kind: "status", status: 400, method: "PATCH", path: tiersPath, times: 1 });
  const { failure } = await stack.up({ ...after, adopt: "always" });
  expect(failure!.reasons!.join("\n")).toContain("was adopted, but the operation is not finished");
  world.forget();
  expect((await stack.up({ ...after, adopt: "always" })).failure).toBeUndefined();
  expect(requests(world)).toEqual(["resource-tiers"]);
});

test("changes nothing in state if the only step is rejected", async () => {
  const { world, stack } = await start();
  world.admin.fault({ kind: "status", status: 400, method: "PATCH", path: tiersPath, times: 1 });
  const { failure } = await stack.up(sized("v1", "DEDICATED_L"));
  expect(failure!.message).toContain("resource-tiers returned 400");
  expect(failure!.id).toBeUndefined();
  expect(stack.state).toMatchObject({ computeTier: "DEDICATED_M" });
});

test("does not create a second revision if the second response is lost and sizes are unreported", async () => {
  const hides = ["compute_tier", "database_tier", "deployment_tier"];
  const world = await World.start({ dialect: "langsmith" }, { hides });
  const stack = await world.deployed(before);
  const made = (await revisionsOf(world, stack)).length;
  world.admin.fault({ kind: "reset", when: "after", method: "PATCH", path: tiersPath, times: 1 });
  expect(await stack.up(after)).toEqual({ step: "update", checkFailures: [] });
  expect(requests(world)).toEqual(["id", "resource-tiers"]);
  expect(await revisionsOf(world, stack)).toHaveLength(made + 2);
  expect(world.log.kept).not.toContain("was not created by");
});

describe("a revision that no field of the PATCH creates", () => {
  const named = (displayName: string, run: string, change: Partial<DeploymentInputs> = {}) =>
    agent({ secrets: undefined, displayName, rollout: { triggers: [run] }, ...change });

  async function startNamed() {
    const world = await World.start({ dialect: "langsmith" }, { secrets: "omitted" });
    const stack = await world.deployed(named("Old", "1"));
    return { world, stack, made: (await revisionsOf(world, stack)).length };
  }

  test("is requested after the changed settings are sent", async () => {
    const { world, stack, made } = await startNamed();
    expect((await stack.up(named("New", "2", { sourceRevisionConfig: {} }))).failure).toBeUndefined();
    expect(requests(world)).toEqual(["id", "revisions"]);
    expect(await world.record(stack)).toMatchObject({ display_name: "New" });
    expect(await revisionsOf(world, stack)).toHaveLength(made + 1);
    expect(world.log.lines("warning")).toEqual([]);
    world.forget();
    expect((await stack.up(named("New", "2", { sourceRevisionConfig: {} }))).step).toBe("same");
    expect(world.writes).toEqual([]);
  });

  test("is requested by the next update, without the settings, if it was rejected", async () => {
    const { world, stack, made } = await startNamed();
    world.admin.fault({
      kind: "status",
      status: 400,
      method: "POST",
      path: "/v2/deployments/:id/revisions",
      detail: "No.",
      times: 1,
    });
    const { failure } = await stack.up(named("New", "2", { sourceRevisionConfig: {} }));
    expect(failure!.reasons!.join("\n")).toMatch(
      /was changed, but the operation is not finished: .*revisions returned/,
    );
    expect(stack.state).toMatchObject({ displayName: "New", rollout: { triggers: ["1"] } });
    world.forget();
    expect((await stack.up(named("New", "2", { sourceRevisionConfig: {} }))).failure).toBeUndefined();
    expect(requests(world)).toEqual(["revisions"]);
    expect(await revisionsOf(world, stack)).toHaveLength(made + 1);
  });
});
