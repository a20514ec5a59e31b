import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

/** Returns a stack whose create was killed before the engine could store its result. */
async function killedCreate(world: World, inputs: DeploymentInputs = agent()) {
  const stack = await world.deployed(inputs);
  const left = { id: stack.deploymentId, latestRevisionId: stack.state.latestRevisionId };
  forget(world, stack);
  return { stack, left };
}

/** Removes the resource from the state and starts a new provider. */
function forget(world: World, stack: Stack): void {
  Object.assign(stack, { id: undefined, inputs: {}, outputs: {}, incomplete: false, host: world.host() });
  world.forget();
}

describe("a deployment from a killed create of this resource", () => {
  test("is accepted without writing if nothing differs", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    expect((await stack.up(agent())).step).toBe("create");
    expect(world.writes).toEqual([]);
    expect({ id: stack.id, latestRevisionId: stack.state.latestRevisionId }).toEqual(left);
    expect(world.log.kept).toContain(
      `(${left.id}) has the ownership tag of this resource, so its interrupted create is resumed.`,
    );
  });

  test("is reported but not changed if the resource now has a different name", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    expect((await stack.up(agent({ name: "renamed" }))).failure).toBeUndefined();
    expect(stack.id).not.toBe(left.id);
    expect(world.log.lines("warning").join()).toContain(
      `deployment "support-agent" (${left.id}) has the ownership tag of this resource`,
    );
    expect(world.writes.map(({ method }) => method)).toEqual(["POST"]);
  });

  test("is not reported if the same run deleted it to replace it under another name", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    const host = (stack.host = world.host());
    // Lists the workspace before the replacement.
    await new Stack(world, host).up(agent({ name: "other" }));
    expect((await stack.up(agent({ name: "renamed" }))).step).toBe("replace");
    expect(world.log.lines("warning")).toEqual([]);
  });

  test("is accepted after its first rollout has ended", async () => {
    const world = await World.start();
    world.admin.steer({ verdict: "never" });
    const stack = world.stack();
    await stack.up(agent({ rollout: { timeout: "1m" } }));
    forget(world, stack);
    world.admin.steer({ pace: { afterSeconds: 300 } });
    expect((await stack.up(agent())).failure).toBeUndefined();
    expect(world.writes).toEqual([]);
    expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  });

  test("receives one new revision if its first rollout failed", async () => {
    const world = await World.start();
    world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
    const stack = world.stack();
    await stack.up(agent());
    forget(world, stack);
    await stack.up(agent());
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect(stack.state.settledRevision?.status).toBe("DEPLOYED");
  });

  test("causes a conflict if adopt is never", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    const { failure } = await stack.up(agent({ adopt: "never" }));
    expect(failure!.message).toContain(
      `(${left.id}) already exists and has the ownership tag of this resource.`,
    );
    expect(world.writes).toEqual([]);
  });
});

describe.each(["interface", "langsmith"] as const)(
  "a create that is killed repeatedly (%s dialect)",
  (dialect) => {
    test("finds its own deployment each time, even though it has created further revisions", async () => {
      const world = await World.start({ dialect });
      const { stack, left } = await killedCreate(world, agentAt("v1"));
      for (const ref of ["v2", "v3"]) {
        expect((await stack.up(agentAt(ref))).failure).toBeUndefined();
        expect(stack.id).toBe(left.id);
        expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
        forget(world, stack);
      }
      expect((await stack.up(agentAt("v3"))).step).toBe("create");
      expect(stack.id).toBe(left.id);
      expect(world.writes).toEqual([]);
      expect((await stack.preview(agentAt("v3"))).changes).toBe(false);
      expect((await stack.up(agentAt("v4"))).step).toBe("update");
    });
  },
);

describe.each(["interface", "langsmith"] as const)(
  "a resource with the same name as one in another backend (%s dialect)",
  (dialect) => {
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";
    const stackIn = (world: World, backend: string) => {
      const stack = new Stack(world, world.host(), urn);
      stack.call = { organization: "organization", backend };
      return stack;
    };

    test("owns only the deployments of its own backend", async () => {
      const world = await World.start({ dialect });
      const [first, second] = [stackIn(world, "one"), stackIn(world, "two")];
      await first.up(agent());
      const { failure } = await second.up(agentAt("v2"));
      expect(failure!.message).toContain('is owned by resource "agent" of stack organization/shop/dev');
      expect((await first.preview(agent())).changes).toBe(false);
    });

    test("does not adopt its changed deployment after the stack has lost its state", async () => {
      const world = await World.start({ dialect });
      const stack = stackIn(world, "one");
      await stack.up(agent());
      await stack.up(agentAt("v2"));
      forget(world, stack);
      const { failure } = await stack.up(agentAt("v2"));
      expect(failure!.message).toContain("was changed after this resource created it");
      expect(failure!.message).toContain('Adopt it (`adopt: "always"`)');
      expect(world.writes).toEqual([]);
      expect((await stack.up(agentAt("v2", { adopt: "always" }))).failure).toBeUndefined();
      expect((await stack.up(agentAt("v3"))).step).toBe("update");
    });
  },
);

describe("a resource on a server that does not return secrets", () => {
  test("does not treat a deployment with an unknown owner as its own", async () => {
    const world = await World.start();
    const { stack, left } = await killedCreate(world);
    hideSecrets(world, left.id);
    const { failure } = await stack.up(agent());
    expect(failure!.message).toContain("has no reported owner");
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

test("suggests dependsOn in a conflict with a resource in this program that may release the name", async () => {
  const world = await World.start();
  const giver = await world.deployed();
  const host = (giver.host = world.host({ AGENTSERVER_OFFLINE: "" }));
  const taker = new Stack(world, host);
  const [first] = (await taker.check(agent())).failures;
  expect(first!.reason).toMatch(/If its owner is a resource in this program .*\(`dependsOn`\)/);
  await giver.check(agent({ name: "renamed" }));
  expect((await taker.check(agent())).failures).toEqual([]);
});

test("keeps the deployment of a renamed and removed resource if another reuses the name", async () => {
  const world = await World.start();
  const first = await world.deployed();
  const urn = first.urn.replace(/agent-/, "renamed-");
  const renamed = Object.assign(world.stack({}, urn), {
    id: first.id,
    inputs: first.inputs,
    outputs: first.outputs,
  });
  expect(await renamed.up(agent())).toMatchObject({ step: "same" });
  const newcomer = new Stack(world, (renamed.host = world.host()), first.urn);
  expect(await newcomer.up(agent())).toMatchObject({ step: "create" });
  expect(newcomer.id).toBe(renamed.id);
  await renamed.destroy();
  expect(world.log.lines("warning").at(-1)).toContain("has recreated or readopted it");
  newcomer.host = world.host();
  expect(await newcomer.refresh()).toBe(true);
  // A later run deletes the renamed resource, which an interrupted run left in the state.
  renamed.id = newcomer.id;
  renamed.outputs = first.outputs;
  await newcomer.preview(agent());
  renamed.host = newcomer.host;
  await renamed.destroy();
  expect(await newcomer.refresh()).toBe(true);
});
