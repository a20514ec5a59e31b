import type { ServerLimits } from "../server-limits";
import { Stack } from "../stack";
import { agent, agentAt, World } from "../world";

const listFails = {
  kind: "status",
  status: 503,
  retryAfter: 60,
  method: "GET",
  path: "/v2/deployments",
} as const;

test.each<[string, ServerLimits, (world: World, known: Stack, host: Stack["host"]) => Promise<unknown>]>([
  ["first lookup", {}, (_, known) => known.up(agentAt("v2"))],
  [
    "list of the whole workspace",
    { ignoresFilters: true },
    (world, _, host) => new Stack(world, host).up(agent({ name: "first" })),
  ],
])(
  "waits for another resource's %s until its own timeout, and then sends nothing",
  async (_, limits, beforehand) => {
    const world = await World.start({}, limits);
    const known = await world.deployed();
    const host = (known.host = world.host());
    await beforehand(world, known, host);
    // After this time, the result of the earlier request is too old.
    await world.clock.advance(60_000);
    world.forget();
    world.admin.fault({ ...listFails, times: 99 });
    const [patient, hurried] = [new Stack(world, host), new Stack(world, host)];
    const startedAt = world.clock.now();
    const hurry = async () => {
      // After this time, the other resource is already pausing.
      await world.clock.sleep(10_000);
      const { failure } = await hurried.up(agent({ name: "hurried", rollout: { timeout: "30s" } }));
      return { failure, elapsedMs: world.clock.now() - startedAt };
    };
    const [, { failure, elapsedMs }] = await Promise.all([patient.up(agent({ name: "patient" })), hurry()]);
    expect(failure!.message).toMatch(
      /^The control plane has requested a pause of \d+s that extends beyond the timeout of 30s, so GET \/v2\/deployments was not sent\./,
    );
    expect(failure!.id).toBeUndefined();
    expect(elapsedMs).toBeLessThanOrEqual(60_000);
    expect(world.writes).toEqual([]);
  },
);

test("retries a failed lookup for a resource that still has time", async () => {
  const world = await World.start();
  const known = await world.deployed();
  const host = (known.host = world.host());
  await known.up(agentAt("v2"));
  world.admin.fault({ ...listFails, times: 1 });
  const [hurried, patient] = [new Stack(world, host), new Stack(world, host)];
  const [{ failure }, { step }] = await Promise.all([
    hurried.up(agent({ name: "hurried", rollout: { timeout: "30s" } })),
    patient.up(agent({ name: "patient" })),
  ]);
  expect(failure!.message).toContain("returned 503");
  expect(step).toBe("create");
});
