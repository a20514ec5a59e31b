import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { scriptedAgents } from "../../scripted-agent";
import type { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

const dialects = ["interface", "langsmith"] as const;
const verify = { graph: "agent" };

/** Runs an update whose provider is killed after the change, so that the result is not in the state. */
async function cutOff(world: World, stack: Stack, inputs: DeploymentInputs): Promise<void> {
  const before = { inputs: stack.inputs, outputs: stack.outputs };
  await stack.up(inputs);
  Object.assign(stack, before, { incomplete: false });
  await world.clock.advance(60_000);
}

describe.each(dialects)("a refresh after an interrupted update (%s dialect)", (dialect) => {
  test("shows that its rollout failed, so that the next update creates one revision", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(agentAt("v1"));
    const good = stack.state.goodRevisionId;
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    await cutOff(world, stack, agentAt("v2"));
    world.forget();
    await stack.refresh();
    expect(stack.state).toMatchObject({
      settledRevision: { id: stack.state.latestRevisionId, status: "BUILD_FAILED" },
      goodRevisionId: good,
    });
    expect((await stack.preview(agentAt("v2"))).changes).toBe(true);
    expect(await stack.up(agentAt("v2"))).toEqual({ step: "update", checkFailures: [] });
    expect(world.writes).toHaveLength(1);
    expect(stack.state.serving?.revisionId).toBe(stack.state.latestRevisionId);
  });

  test("shows that its rollout is in progress, so that the next update waits for it", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(agentAt("v1"));
    world.admin.steer({ verdict: "BUILD_FAILED", pace: { afterSeconds: 300 }, times: 1 });
    await cutOff(world, stack, agentAt("v2", { rollout: { wait: false } }));
    world.forget();
    await stack.refresh();
    expect(stack.state.awaitedRevision).toEqual({ id: stack.state.latestRevisionId });
    const { failure } = await stack.up(agentAt("v2"));
    expect(failure?.message).toContain("failed during the build (BUILD_FAILED");
    expect(world.writes).toEqual([]);
    expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
    expect(world.writes).toHaveLength(1);
  });

  test("leaves a successful revision unchanged", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(agentAt("v1"));
    await cutOff(world, stack, agentAt("v2"));
    world.forget();
    await stack.refresh();
    expect((await stack.up(agentAt("v2"))).step).toBe("same");
    expect(world.writes).toEqual([]);
  });

  test("shows that it was not verified, so that the next update verifies it", async () => {
    const agents = scriptedAgents();
    const world = await World.start({ dialect, runner: agents });
    const stack = await world.deployed(agentAt("v1", { rollout: { verify } }));
    agents.script.graphs = ["other"];
    await cutOff(world, stack, agentAt("v2", { rollout: { verify } }));
    world.forget();
    await stack.refresh();
    const newest = stack.state.latestRevisionId;
    expect(stack.state).toMatchObject({ awaitedRevision: { id: newest }, unverifiedRevisionIds: [newest] });
    const { failure } = await stack.up(agentAt("v2", { rollout: { verify } }));
    expect(failure?.message).toContain("failed its verification");
    expect(world.writes).toEqual([]);
  });

  test("reports that a foreign revision with the desired source has failed", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(agentAt("v1"));
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "v2" } });
    await world.clock.advance(60_000);
    await stack.refresh();
    world.forget();
    expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
    expect(world.writes).toHaveLength(1);
    expect(stack.state.serving?.revisionId).toBe(stack.state.latestRevisionId);
  });
});

test("shows that a revision created by a settings change has failed", async () => {
  const built = (buildCommand: string) => agent({ sourceConfig: { ...agent().sourceConfig, buildCommand } });
  const world = await World.start({ dialect: "langsmith" });
  const stack = await world.deployed(built("one"));
  world.admin.steer({ verdict: "DEPLOY_FAILED", times: 1 });
  await cutOff(world, stack, built("two"));
  await stack.refresh();
  world.forget();
  expect((await stack.up(built("two"))).failure).toBeUndefined();
  expect(world.writes).toHaveLength(1);
});
