import { agent, World } from "../world";

test("reports each change, and otherwise one line every 10 seconds", async () => {
  const world = await World.start();
  world.admin.steer({ statuses: ["BUILDING", "DEPLOYED"], pace: { secondsPerStatus: 300 } });
  await world.stack().up(agent());
  const lines = world.log.lines("status");
  expect(lines[0]).toBe("CREATING, limit 30m, poll 1");
  expect(lines.filter((line) => line.startsWith("BUILDING, ")).length).toBeGreaterThan(20);
  expect(lines.at(-1)).toMatch(/^BUILDING, (9|10)m of 30m, poll \d+/);
  expect(lines.length).toBeLessThanOrEqual(10 * 6 + 4);
});

test("logs the duration of each phase of a rollout", async () => {
  const world = await World.start();
  world.admin.steer({ statuses: ["BUILDING", "DEPLOYING", "DEPLOYED"], pace: { secondsPerStatus: 60 } });
  const stack = world.stack();
  await stack.up(agent());
  expect(world.log.lines("info")).toEqual([
    expect.stringMatching(
      `^DEPLOYED after 3m(?:\\d+s)? \\(CREATING \\S+, BUILDING \\S+, DEPLOYING \\S+\\), revision ${stack.state.latestRevisionId}$`,
    ),
  ]);
});

test("explains after 10 seconds how to interrupt the wait", async () => {
  const world = await World.start();
  world.admin.steer({ pace: { afterSeconds: 100 } });
  await world.stack().up(agent());
  const lines = world.log.lines("status");
  expect(lines[0]).not.toContain("Ctrl-C");
  expect(lines.at(-1)).toMatch(/; press Ctrl-C twice to stop waiting, and run `pulumi up` to resume$/);
});

test("is logged with the resource's URN", async () => {
  const world = await World.start();
  const stack = world.stack();
  await stack.up(agent());
  expect(new Set(world.log.said.map(({ urn }) => urn))).toEqual(new Set([stack.urn]));
});

test("shows retries", async () => {
  const world = await World.start();
  world.admin.fault({ kind: "status", status: 429, retryAfter: 30, method: "POST" });
  await world.stack().up(agent());
  expect(world.log.lines("status")[0]).toMatch(/^retrying in 30s, POST \/v2\/deployments returned 429/);
});
