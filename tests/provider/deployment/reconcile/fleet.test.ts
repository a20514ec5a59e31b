import type { ServerLimits } from "../../server-limits";
import { Stack } from "../../stack";
import { agent, World } from "../../world";

/** Creates so many deployments at once, as one program does. */
async function createFleet(world: World, size: number): Promise<Stack[]> {
  const host = world.host();
  const stacks = Array.from({ length: size }, () => new Stack(world, host));
  const ups = await Promise.all(stacks.map((stack, place) => stack.up(agent({ name: `agent-${place}` }))));
  expect(ups.map(({ step }) => step)).toEqual(stacks.map(() => "create"));
  return stacks;
}

function listRequests(world: World): number {
  return world.admin.journal({ method: "GET" }).filter(({ path }) => path.endsWith("/v2/deployments")).length;
}

test.each<[string, ServerLimits]>([
  ["filters its list", {}],
  ["answers the whole workspace to each look-up", { ignoresFilters: true }],
])("forty creates at a server that %s list the workspace a few times, not forty", async (_, limits) => {
  const world = await World.start({}, limits);
  // What was there before.
  for (let place = 0; place < 3; place += 1) await world.stack().up(agent({ name: `old-${place}` }));
  world.forget();
  await createFleet(world, 40);
  const looks = listRequests(world);
  // One look for the key, one for what cut-off creates have left, each perhaps on two pages; and one for each name.
  expect(looks).toBeLessThanOrEqual(limits.ignoresFilters ? 20 : 40 + 5);
  expect(world.writes.map(({ method }) => method)).toEqual(Array.from({ length: 40 }, () => "POST"));
});

test("with a server that filters nothing a taken name is still found", async () => {
  const world = await World.start({}, { ignoresFilters: true });
  await world.stack().up(agent({ name: "taken" }));
  const host = world.host();
  const [one, two] = [new Stack(world, host), new Stack(world, host)];
  expect((await one.up(agent({ name: "free" }))).step).toBe("create");
  world.forget();
  const { failure } = await two.up(agent({ name: "taken" }));
  expect(failure!.message).toContain('A deployment named "taken" exists already');
  expect(world.writes).toEqual([]);
});

test("a server that caps its pages hides no deployment of that name", async () => {
  const world = await World.start({}, { pageCap: 5, ignoresFilters: true });
  for (let place = 0; place < 12; place += 1) await world.stack().up(agent({ name: `old-${place}` }));
  const { failure } = await world.stack().up(agent({ name: "old-10" }));
  expect(failure!.message).toContain('A deployment named "old-10" exists already');
});
