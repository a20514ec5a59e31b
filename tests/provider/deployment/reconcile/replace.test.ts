import { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

const renamed = agent({ name: "sales-agent" });
const requests = (world: World) =>
  world.writes.map(({ method, path }) => `${method} ${path.split("/v2/")[1]}`);
const namesOf = async (world: World) => {
  const { resources } = (await world.request("GET", "/v2/deployments")) as { resources: { name: string }[] };
  return resources.map(({ name }) => name).sort();
};

test("keeps the old deployment until the first rollout of a replacement succeeds", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const old = stack.deploymentId;
  world.admin.steer({ verdict: "BUILD_FAILED", deployment: "sales-agent" });

  const { failure } = await stack.up(renamed);
  expect(failure!.message).toContain("BUILD_FAILED");
  expect(requests(world)).toEqual(["POST deployments"]);
  expect(await namesOf(world)).toEqual(["sales-agent", "support-agent"]);

  world.admin.steer({ verdict: "DEPLOYED", deployment: "sales-agent" });
  world.forget();
  expect((await stack.up(renamed)).step).toBe("update");
  expect(requests(world)).toEqual([`PATCH deployments/${stack.deploymentId}`, `DELETE deployments/${old}`]);
  expect(await namesOf(world)).toEqual(["sales-agent"]);
});

test("resumes an interrupted replacement, and deletes the old deployment afterward", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const old = stack.deploymentId;
  // The same resource; the engine did not receive the result of its create.
  await world.stack({}, stack.urn).up(renamed);
  world.forget();

  expect((await stack.up(renamed)).step).toBe("replace");
  expect(requests(world)).toEqual([`DELETE deployments/${old}`]);
  expect(await namesOf(world)).toEqual(["sales-agent"]);
  expect((await stack.up(renamed)).step).toBe("same");
});

describe("a failed replacement that is reverted", () => {
  async function takenBack(revisions: number) {
    const world = await World.start();
    const stack = await world.deployed();
    for (let revision = 2; revision <= revisions; revision += 1) await stack.up(agentAt(`v${revision}`));
    const old = stack.deploymentId;
    world.admin.steer({ verdict: "BUILD_FAILED", deployment: "sales-agent" });
    await stack.up({ ...renamed, sourceRevisionConfig: stack.state.sourceRevisionConfig });
    const made = stack.deploymentId;
    world.forget();
    return { world, stack, old, made, wanted: agentAt(`v${revisions}`) };
  }

  test("keeps the active deployment, and deletes the new one", async () => {
    const { world, stack, old, made, wanted } = await takenBack(1);
    expect((await stack.up(wanted)).step).toBe("replace");
    expect(stack.deploymentId).toBe(old);
    expect(requests(world)).toEqual([`DELETE deployments/${made}`]);
    expect(world.log.lines("warning").join()).toContain(`${old} was not deleted`);
    expect((await stack.up(wanted)).step).toBe("same");
    expect(await namesOf(world)).toEqual(["support-agent"]);
  });

  test("keeps the old deployment even if the failed run ended before the deletion", async () => {
    const { world, stack, old, made, wanted } = await takenBack(1);
    const { host } = stack;
    stack.host = Object.assign(Object.create(host) as typeof host, {
      delete: () => Promise.reject(new Error("the engine was killed")),
    });
    await stack.up(wanted);
    expect(stack.deploymentId).toBe(old);
    // A new process, which has only the information in the state.
    stack.host = world.stack({}, stack.urn).host;
    world.forget();
    expect((await stack.up(wanted)).step).toBe("same");
    expect(requests(world)).toEqual([`DELETE deployments/${made}`]);
    expect(await namesOf(world)).toEqual(["support-agent"]);
  });

  test.each(["ifOwned", "never"] as const)(
    "keeps the old deployment after any number of changes, with adopt: %s",
    async (adopt) => {
      const { world, stack, old, made, wanted } = await takenBack(4);
      expect((await stack.up({ ...wanted, adopt })).step).toBe("replace");
      expect(stack.deploymentId).toBe(old);
      expect(requests(world)).toEqual([`DELETE deployments/${made}`]);
      expect((await stack.up({ ...wanted, adopt })).step).toBe("same");
      expect(await namesOf(world)).toEqual(["support-agent"]);
    },
  );

  const hidden = (["omitted", "names", "masked", "partly masked"] as const).flatMap((secrets) =>
    (["interface", "langsmith"] as const).flatMap((dialect) =>
      [{ secrets: undefined }, { secrets: undefined, environmentVariables: { LEVEL: "a" } }, {}].map(
        (change) => [secrets, dialect, change] as const,
      ),
    ),
  );

  test.each(hidden)(
    "keeps the old deployment if secrets are not fully reported (%s, %s, %j)",
    async (secrets, dialect, change) => {
      const world = await World.start({ dialect }, { secrets });
      const stack = await world.deployed(agent(change));
      const old = stack.deploymentId;
      world.admin.steer({ verdict: "BUILD_FAILED", deployment: "sales-agent" });
      await stack.up({ ...renamed, ...change });
      expect(stack.deploymentId).not.toBe(old);
      expect(await stack.up(agent(change))).toMatchObject({ step: "replace" });
      expect(stack.deploymentId).toBe(old);
      expect(await stack.up(agent(change))).toMatchObject({ step: "same" });
      expect(await namesOf(world)).toEqual(["support-agent"]);
    },
  );

  test("keeps the old deployment in another process, without a conflict in the preview", async () => {
    const { world, stack, old, made, wanted } = await takenBack(3);
    stack.host = world.host({ AGENTSERVER_OFFLINE: "" });
    const preview = await stack.preview(wanted);
    expect(preview.replaces).toContain("name");
    expect((await stack.check(wanted)).failures).toEqual([]);
    // When the engine replaces a resource, it checks the resource again, as if the resource did not exist.
    const fresh = new Stack(world, stack.host, stack.urn);
    expect((await fresh.check(wanted)).failures).toEqual([]);
    expect((await stack.up(wanted)).step).toBe("replace");
    expect(stack.deploymentId).toBe(old);
    expect(requests(world)).toEqual([`DELETE deployments/${made}`]);
  });

  test("keeps the old deployment after two failed replacements with other runs in between", async () => {
    const { world, stack, old, made, wanted } = await takenBack(3);
    await stack.refresh();
    world.admin.steer({ verdict: "BUILD_FAILED" });
    await stack.up({ ...renamed, sourceRevisionConfig: agentAt("v8").sourceRevisionConfig });
    await stack.up({ ...wanted, name: "third-agent" });
    expect(stack.pending.map(({ id }) => id)).toEqual([old, made]);
    const third = stack.deploymentId;
    expect(world.log.kept).not.toContain("is not in the state of this stack");
    world.forget();
    stack.host = world.host();
    expect((await stack.up(wanted)).step).toBe("replace");
    expect(stack.deploymentId).toBe(old);
    expect(requests(world).sort()).toEqual(
      [`DELETE deployments/${made}`, `DELETE deployments/${third}`].sort(),
    );
    expect(await namesOf(world)).toEqual(["support-agent"]);
  });

  test("does not reclaim the old deployment from a stack that has adopted it in the meantime", async () => {
    const { world, stack, old, wanted } = await takenBack(3);
    await world.stack().up({ ...wanted, adopt: "always" });
    world.forget();
    const { failure } = await stack.up(wanted);
    expect(failure!.message).toContain(`${old} was not changed because it is owned by resource "`);
    expect(world.writes).toEqual([]);
  });

  test("does not keep a deployment that the engine deletes for another reason", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    const old = stack.deploymentId;
    await stack.preview(agent());
    await stack.destroy();
    expect(requests(world)).toEqual([`DELETE deployments/${old}`]);
  });
});

test("creates no replacement for a deployment that another stack owns", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await world.stack().up(agent({ adopt: "always" }));
  world.forget();
  const { failure } = await stack.up(renamed);
  expect(failure!.message).toContain("was not changed because it is owned by");
  expect(world.writes).toEqual([]);
});

test("deletes the old deployment first if the program requests this", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const old = stack.deploymentId;
  stack.deletesFirst = true;
  expect((await stack.up(renamed)).step).toBe("replace");
  expect(requests(world)).toEqual([`DELETE deployments/${old}`, "POST deployments"]);
  expect((await stack.up({ ...agentAt("v2"), name: "sales-agent" })).step).toBe("update");
});

test("rejects creating a deployment with the same name before deleting the old one", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  stack.deletesFirst = false;
  const { failure } = await stack.up(agent({ source: "external_docker" }));
  expect(failure!.message).toMatch(
    /would be replaced by one with the same name.*`deleteBeforeReplace: true`/,
  );
  expect(world.writes).toEqual([]);
});
