import { AgentWorld } from "../agent-world";
import { inClear, isSecret } from "../wire";
import { agent, World } from "../world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const former = "former-secret-value";

/** Returns the strings with the former secret that are not marked as secret. */
function unmarked(value: unknown): string[] {
  if (typeof value === "string") return value.includes(former) ? [value] : [];
  if (typeof value !== "object" || value === null || isSecret(value)) return [];
  return Object.values(value).flatMap(unmarked);
}

/**
 * Runs an update that is refused after a wait of the provider, in which others change the thread. The state then
 * contains the values on the server.
 */
async function refusedUpdate(stack: ReturnType<AgentWorld["stack"]>, inputs: object) {
  const route = { kind: "status", method: "PATCH", path: "/agents/:id/threads/:thread" } as const;
  world.admin.fault({ ...route, status: 503, retryAfter: 60 });
  const { clock } = world;
  const sleep = clock.advancingSleep;
  const sleeping = jest.spyOn(clock, "advancingSleep").mockImplementationOnce(async (ms, signal) => {
    await world.ask("PATCH", `/threads/${stack.id}`, { metadata: { theirs: 1 } });
    world.admin.fault({ ...route, status: 400 });
    await sleep(ms, signal);
  });
  const { failure } = await stack.up(inputs);
  sleeping.mockRestore();
  expect(failure?.properties).toBeDefined();
  return failure!.properties!;
}

test.each([
  ["a value", ["metadata.k"], { k: former }, { k: "x" }],
  ["a removed value", ["metadata.k"], { k: former }, {}],
  ["a name with dots", ["metadata.a.b"], { "a.b": former }, { "a.b": "x" }],
  ["an item of a list", ["metadata.list.1"], { list: ["a", former] }, { list: ["a", "x"] }],
  ["a group", ["metadata"], { k: former, n: 1 }, { k: "x" }],
])("keeps %s secret that a failed update leaves on the server", async (_what, paths, before, after) => {
  const stack = world.stack("thread");
  stack.call = { secretPaths: paths };
  await stack.up({ ...world.deployment, metadata: before });
  stack.call = {};
  const wanted = { ...world.deployment, metadata: after };
  const properties = await refusedUpdate(stack, wanted);
  expect(inClear(properties)).toMatchObject({ metadata: before });
  expect(unmarked(properties)).toEqual([]);
  world.forget();
  await stack.preview(wanted);
  const { props, inputs } = await stack.host.read(stack.id!, inClear(stack.outputs));
  expect(inClear([props, inputs])).toMatchObject([{ metadata: before }, { metadata: before }]);
  expect(unmarked([props, inputs])).toEqual([]);
  await stack.refresh();
  await stack.preview(wanted);
  expect(world.log.kept).not.toContain(former);
  expect(await stack.up(wanted)).toMatchObject({ step: "update" });
  expect(JSON.stringify(stack.outputs)).not.toContain(former);
});

test("keeps a setting of a deployment secret if its change is refused", async () => {
  const plane = await World.start({ dialect: "langsmith" });
  const stack = plane.stack();
  const sized = (repoRef: string, computeTier: string) =>
    agent({
      sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" },
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      computeTier,
    });
  stack.call = { secretPaths: ["computeTier"] };
  await stack.up(sized("v1", "DEDICATED_M"));
  stack.call = {};
  plane.admin.fault({
    kind: "status",
    status: 400,
    method: "PATCH",
    path: "/v2/deployments/:id/resource-tiers",
  });
  const { failure } = await stack.up(sized("v2", "DEDICATED_L"));
  expect(isSecret(failure!.properties!["computeTier"])).toBe(true);
  const { props, inputs } = await stack.host.read(stack.id!, inClear(stack.outputs));
  expect([props, inputs].map((values) => isSecret(values!["computeTier"]))).toEqual([true, true]);
  expect(await stack.up(sized("v2", "DEDICATED_L"))).toMatchObject({ step: "update" });
  expect(stack.outputs).toMatchObject({ computeTier: "DEDICATED_L" });
  expect(plane.log.kept).not.toContain("DEDICATED_M");
});
