import { agent, agentAt, canary, World } from "../../world";

test("reports a rejected key once, and writes nothing", async () => {
  const world = await World.start();
  const stack = world.stack({ AGENTSERVER_API_KEY: `${canary}-wrong` });
  const { failure } = await stack.up(agent());
  expect(failure!.message).toBe(
    "GET /v2/deployments returned 401: Invalid API key. Check agentserver:apiKey (AGENTSERVER_API_KEY) and agentserver:tenantId (AGENTSERVER_TENANT_ID): the key must belong to the organization of that workspace and may need more permissions.",
  );
  expect(failure!.id).toBeUndefined();
  expect(world.admin.journal().map(({ method }) => method)).toEqual(["GET"]);
});

test("checks the key once for several resources", async () => {
  const world = await World.start();
  const host = world.host({ AGENTSERVER_TENANT_ID: "not-mine" });
  const stacks = ["one", "two", "three"].map((name) => ({
    name,
    stack: Object.assign(world.stack(), { host }),
  }));
  const ups = await Promise.all(stacks.map(({ name, stack }) => stack.up(agent({ name }))));
  for (const { failure } of ups) expect(failure!.message).toContain("403");
  expect(world.admin.journal()).toHaveLength(1);
});

test("checks a rejected key again after it has been corrected", async () => {
  const world = await World.start();
  const stack = world.stack();
  world.admin.fault({ kind: "status", status: 401 });
  expect((await stack.up(agent())).failure!.message).toContain("401");
  expect((await stack.up(agent())).step).toBe("create");
});

test.each([
  ["AGENTSERVER_API_KEY", "agentserver:apiKey"],
  ["AGENTSERVER_TENANT_ID", "agentserver:tenantId"],
  ["AGENTSERVER_BASE_URL", "agentserver:baseUrl"],
])("reports a missing %s in the input check", async (variable, setting) => {
  const world = await World.start();
  const { step, checkFailures } = await world.stack({ [variable]: "" }).up(agent());
  expect(step).toBe("refused");
  expect(checkFailures).toEqual([{ property: "", reason: expect.stringContaining(setting) }]);
  expect(checkFailures[0]!.reason).toContain(variable);
  expect(world.admin.journal()).toEqual([]);
});

test("fails without a retry if the key has no write permission", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.fault({
    kind: "status",
    status: 403,
    method: "PATCH",
    detail: "needs deployments:update",
    times: 9,
  });
  const { failure } = await stack.up(agentAt("v2"));
  expect(failure!.message).toContain("needs deployments:update");
  expect(world.writes).toHaveLength(1);
});
