import type { ServerLimits } from "../../server-limits";
import { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

/** Creates this number of deployments concurrently, as a single program would. */
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
  ["returns the whole workspace for each lookup", { ignoresFilters: true }],
])("lists the workspace only a few times for forty creates on a server that %s", async (_, limits) => {
  const world = await World.start({}, limits);
  // Deployments that already existed.
  for (let place = 0; place < 3; place += 1) await world.stack().up(agent({ name: `old-${place}` }));
  world.forget();
  await createFleet(world, 40);
  const looks = listRequests(world);
  // Requests that check the key, that look up deployments of interrupted creates, the first names, and all other names
  // together, and that are sent during the waits.
  expect(looks).toBeLessThanOrEqual(20);
  expect(world.writes.map(({ method }) => method)).toEqual(Array.from({ length: 40 }, () => "POST"));
});

test("lists the workspace for a preview of two hundred deployments, and looks up few names", async () => {
  const world = await World.start();
  for (let place = 0; place < 3; place += 1) await world.stack().up(agent({ name: `old-${place}` }));
  world.forget();
  const host = world.host({ AGENTSERVER_OFFLINE: "false" });
  const stacks = Array.from({ length: 200 }, () => new Stack(world, host));

  const failures = await Promise.all(
    stacks.map((stack, place) => stack.check(agent({ name: place === 150 ? "old-1" : `new-${place}` }))),
  );

  expect(listRequests(world)).toBeLessThanOrEqual(15);
  const refused = failures.flatMap(({ failures: found }) => found.map(({ reason }) => reason));
  expect(refused).toEqual([expect.stringContaining('"old-1"')]);
});

test("looks up individual names if the workspace has too many pages", async () => {
  const world = await World.start({}, { pageCap: 1 });
  for (let place = 0; place < 25; place += 1) await world.stack().up(agent({ name: `old-${place}` }));
  world.forget();
  const host = world.host({ AGENTSERVER_OFFLINE: "false" });

  const found = await Promise.all(
    Array.from({ length: 30 }, (_, place) => {
      const name = place === 20 ? "old-7" : `new-${place}`;
      return new Stack(world, host).check(agent({ name }));
    }),
  );

  const refused = found.flatMap(({ failures }) => failures.map(({ reason }) => reason));
  expect(refused).toEqual([expect.stringContaining('"old-7"')]);
  // All checks together read the pages of the list only until it is known that there are too many.
  expect(listRequests(world)).toBeLessThanOrEqual(30 * 2 + 25 + 10);
});

test("detects a name that is in use on a server that ignores filters", async () => {
  const world = await World.start({}, { ignoresFilters: true });
  await world.stack().up(agent({ name: "taken" }));
  const host = world.host();
  const [one, two] = [new Stack(world, host), new Stack(world, host)];
  expect((await one.up(agent({ name: "free" }))).step).toBe("create");
  world.forget();
  const { failure } = await two.up(agent({ name: "taken" }));
  expect(failure!.message).toContain("already exists and is owned by");
  expect(world.writes).toEqual([]);
});

test("finds a deployment by name on a server that limits its pages", async () => {
  const world = await World.start({}, { pageCap: 5, ignoresFilters: true });
  for (let place = 0; place < 12; place += 1) await world.stack().up(agent({ name: `old-${place}` }));
  const { failure } = await world.stack().up(agent({ name: "old-10" }));
  expect(failure!.message).toContain("already exists and is owned by");
});

test("shares list pages among forty rollouts, and polls few of them individually", async () => {
  const world = await World.start();
  const stacks = await createFleet(world, 40);
  world.forget();
  world.admin.steer({ pace: { afterSeconds: 300 } });
  const startedAt = world.clock.now();

  const ups = await Promise.all(
    stacks.map((stack, place) => stack.up(agentAt("v2", { name: `agent-${place}` }))),
  );

  expect(ups.map(({ failure }) => failure)).toEqual(stacks.map(() => undefined));
  const looks = world.admin.journal({ path: "/v2/deployments/:id/revisions/:r" }).length;
  // One when the wait begins, one when the revision is active, and infrequent ones for revisions that a list does not
  // contain.
  expect(looks).toBeLessThanOrEqual(40 * 2 + 40 + 40);
  // A local control plane may receive many requests for lists, but fewer in total than with individual polls.
  expect(listRequests(world) + looks).toBeLessThanOrEqual(40 * 10);
  expect(world.clock.now() - startedAt).toBeLessThan(330_000);
});

test("ends a wait within two minutes of a failure that the list does not show", async () => {
  const world = await World.start();
  const stacks = await createFleet(world, 6);
  world.admin.steer({ verdict: "never" });
  const startedAt = world.clock.now();
  let endedAt = 0;
  world.clock.after(
    60_000,
    () => void world.admin.setStatus(stacks[2]!.deploymentId, undefined, "BUILD_FAILED"),
  );
  world.clock.after(300_000, () => world.admin.steer({ verdict: "DEPLOYED" }));

  await Promise.all(
    stacks.map(async (stack, place) => {
      const { failure } = await stack.up(
        agentAt("v2", { name: `agent-${place}`, rollout: { timeout: "6m" } }),
      );
      if (place !== 2) return;
      endedAt = world.clock.now();
      expect(failure!.message).toContain("BUILD_FAILED");
    }),
  );

  expect(endedAt - startedAt).toBeLessThan(60_000 + 120_000);
});

test("applies the request budget to all resources of a program together", async () => {
  const world = await World.start();
  const host = world.host({ AGENTSERVER_MAX_REQUESTS_PER_SECOND: "2" });
  const stacks = Array.from({ length: 10 }, () => new Stack(world, host));
  const startedAt = world.clock.now();

  await Promise.all(stacks.map((stack, place) => stack.up(agent({ name: `agent-${place}` }))));

  const requests = world.admin.journal().length;
  const seconds = (world.clock.now() - startedAt) / 1_000;
  expect(requests).toBeLessThanOrEqual(10 + 2 * seconds + 1);
});
