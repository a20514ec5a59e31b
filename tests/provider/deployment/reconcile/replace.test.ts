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
