import type { DeploymentInputs } from "../../../../provider/deployment/inputs";
import { agent, World } from "../../world";

/** The stack of a create that was killed before the engine could keep its result. */
async function killedCreate(world: World, inputs: DeploymentInputs = agent()) {
  const stack = await world.deployed(inputs);
  const left = { id: stack.deploymentId, latestRevisionId: stack.state.latestRevisionId };
  Object.assign(stack, { id: undefined, inputs: {}, outputs: {} });
  return { stack, left };
}

describe("a deployment that a killed create of this very resource left behind", () => {
  test("is taken up without a write when nothing differs", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    expect((await stack.up(agent())).step).toBe("create");
    expect(world.writes).toEqual([]);
    expect({ id: stack.id, latestRevisionId: stack.state.latestRevisionId }).toEqual(left);
    expect(world.log.kept).toContain(`adopts ${left.id}: it carries this resource's own mark`);
  });

  test("is told of when the resource has another name by now, and is not touched", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    expect((await stack.up(agent({ name: "renamed" }))).failure).toBeUndefined();
    expect(stack.id).not.toBe(left.id);
    expect(world.log.lines("warning").join()).toContain(
      `deployment "support-agent" (${left.id}) carries this resource's own mark`,
    );
    expect(world.writes.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("is waited for while its first rollout is under way", async () => {
    const world = await World.start();
    world.admin.steer({ verdict: "never" });
    const stack = world.stack();
    await stack.up(agent({ rollout: { timeout: "1m" } }));
    Object.assign(stack, { id: undefined, inputs: {}, outputs: {}, incomplete: false });
    world.forget();
    world.admin.steer({ pace: { afterSeconds: 300 } });
    expect((await stack.up(agent())).failure).toBeUndefined();
    expect(world.writes).toEqual([]);
    expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  });

  test("gets one new revision when its first rollout failed", async () => {
    const world = await World.start();
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    const stack = world.stack();
    await stack.up(agent());
    Object.assign(stack, { id: undefined, inputs: {}, outputs: {}, incomplete: false });
    world.forget();
    await stack.up(agent());
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  });

  test("is a conflict where adopt is never", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    const { failure } = await stack.up(agent({ adopt: "never" }));
    expect(failure!.message).toContain(`(${left.id}), which this very resource made earlier`);
    expect(world.writes).toEqual([]);
  });
});

describe("a server that does not return secrets", () => {
  test("leaves the owner unknown, which is not ours", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    hideSecrets(world, left.id);
    const { failure } = await stack.up(agent());
    expect(failure!.message).toContain("which no Pulumi resource is known to own");
    expect(world.writes).toEqual([]);
  });
});

function hideSecrets(world: World, id: string): void {
  const record = { id, name: "support-agent", latest_revision_id: "r" };
  world.admin.fault({
    kind: "status",
    status: 200,
    method: "GET",
    path: "/v2/deployments",
    body: { resources: [record], offset: 1 },
    times: 9,
  });
}
