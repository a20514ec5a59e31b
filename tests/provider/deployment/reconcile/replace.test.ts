import { agent, agentAt, World } from "../../world";

const renamed = agent({ name: "sales-agent" });
const requests = (world: World) =>
  world.writes.map(({ method, path }) => `${method} ${path.split("/v2/")[1]}`);
const namesOf = async (world: World) => {
  const { resources } = (await world.request("GET", "/v2/deployments")) as { resources: { name: string }[] };
  return resources.map(({ name }) => name).sort();
};

test("a replacement whose first rollout fails keeps the old deployment until one succeeds", async () => {
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

test("a replacement that was cut off while it created is resumed, and the old one goes after it", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const old = stack.deploymentId;
  // The same resource, of whose create nothing came to the engine.
  await world.stack({}, stack.urn).up(renamed);
  world.forget();

  expect((await stack.up(renamed)).step).toBe("replace");
  expect(requests(world)).toEqual([`DELETE deployments/${old}`]);
  expect(await namesOf(world)).toEqual(["sales-agent"]);
  expect((await stack.up(renamed)).step).toBe("same");
});

describe("a replacement that failed and is taken back", () => {
  async function takenBack(revisions: number) {
    const world = await World.start();
    const stack = await world.deployed();
    if (revisions > 1) await stack.up(agentAt("v2"));
    const old = stack.deploymentId;
    world.admin.steer({ verdict: "BUILD_FAILED", deployment: "sales-agent" });
    await stack.up({ ...renamed, sourceRevisionConfig: stack.state.sourceRevisionConfig });
    const made = stack.deploymentId;
    world.forget();
    return { world, stack, old, made, wanted: revisions > 1 ? agentAt("v2") : agent() };
  }

  test("leaves the deployment that served all the while, and deletes the new one", async () => {
    const { world, stack, old, made, wanted } = await takenBack(1);
    expect((await stack.up(wanted)).step).toBe("replace");
    expect(stack.deploymentId).toBe(old);
    expect(requests(world)).toEqual([`DELETE deployments/${made}`]);
    expect(world.log.lines("warning").join()).toContain(`${old} is kept`);
    expect((await stack.up(wanted)).step).toBe("same");
    expect(await namesOf(world)).toEqual(["support-agent"]);
  });

  test("leaves it also where that run ended before it had deleted anything", async () => {
    const { world, stack, old, made, wanted } = await takenBack(1);
    const { host } = stack;
    stack.host = Object.assign(Object.create(host) as typeof host, {
      delete: () => Promise.reject(new Error("the engine was killed")),
    });
    await stack.up(wanted);
    expect(stack.deploymentId).toBe(old);
    // Another process, which knows what the state tells it.
    stack.host = world.stack({}, stack.urn).host;
    world.forget();
    expect((await stack.up(wanted)).step).toBe("same");
    expect(requests(world)).toEqual([`DELETE deployments/${made}`]);
    expect(await namesOf(world)).toEqual(["support-agent"]);
  });

  test("is a conflict where it has been changed since it was made, and adopt: always is the way out", async () => {
    const { world, stack, old, wanted } = await takenBack(2);
    const { failure } = await stack.up(wanted);
    expect(failure!.message).toContain("a replacement that did not finish was to delete it");
    expect(await namesOf(world)).toEqual(["sales-agent", "support-agent"]);
    expect((await stack.up({ ...wanted, adopt: "always" })).failure).toBeUndefined();
    expect(stack.deploymentId).toBe(old);
    expect(await namesOf(world)).toEqual(["support-agent"]);
  });

  test("does not keep what the engine replaces for a reason of its own", async () => {
    const world = await World.start();
    const stack = await world.deployed();
    const old = stack.deploymentId;
    await stack.preview(agent());
    await stack.destroy();
    expect(requests(world)).toEqual([`DELETE deployments/${old}`]);
  });
});

test("nothing is created for a deployment that another stack holds: it could not be deleted after that", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  await world.stack().up(agent({ adopt: "always" }));
  world.forget();
  const { failure } = await stack.up(renamed);
  expect(failure!.message).toContain("it was not replaced");
  expect(world.writes).toEqual([]);
});

test("a program that wants the old one deleted first gets that", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  const old = stack.deploymentId;
  stack.deletesFirst = true;
  expect((await stack.up(renamed)).step).toBe("replace");
  expect(requests(world)).toEqual([`DELETE deployments/${old}`, "POST deployments"]);
  expect((await stack.up({ ...agentAt("v2"), name: "sales-agent" })).step).toBe("update");
});

test("a program that wants a deployment of the same name created first is told that this cannot be", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  stack.deletesFirst = false;
  const { failure } = await stack.up(agent({ source: "external_docker" }));
  expect(failure!.message).toMatch(/is to be replaced by one of the same name.*`deleteBeforeReplace: true`/);
  expect(world.writes).toEqual([]);
});
