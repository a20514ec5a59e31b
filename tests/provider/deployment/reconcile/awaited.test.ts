import type { Stack } from "../../stack";
import { agentAt, World } from "../../world";

const dialects = ["interface", "langsmith"] as const;

/**
 * Returns a stack whose rollout of `v2` has timed out, and whose deployment then received a revision from another
 * client.
 */
async function overtaken(
  world: World,
  rollout: object = {},
): Promise<{ stack: Stack; ours: string; theirs: string }> {
  const stack = await world.deployed(agentAt("v1", { rollout }));
  world.admin.steer({ verdict: "never", times: 1 });
  const { failure } = await stack.up(agentAt("v2", { rollout: { ...rollout, timeout: "1m" } }));
  expect(failure!.message).toContain("is still DEPLOYING after 1m, the limit of rollout.timeout");
  const ours = stack.state.latestRevisionId;
  const theirs = world.admin.pushRevision(stack.deploymentId);
  world.forget();
  return { stack, ours, theirs };
}

describe.each(dialects)(
  "a resource whose rollout timed out before a foreign revision (%s dialect)",
  (dialect) => {
    test("records a foreign revision on refresh, and waits for its own in the next update", async () => {
      const world = await World.start({ dialect });
      const { stack, ours, theirs } = await overtaken(world);
      await stack.refresh();
      expect(stack.state).toMatchObject({ latestRevisionId: theirs, awaitedRevision: { id: ours } });
      const { failure } = await stack.up(agentAt("v2", { rollout: { timeout: "1m" } }));
      expect(JSON.stringify(failure?.reasons ?? [])).not.toContain(`Revision ${theirs} of deployment`);
      const asked = world.admin.journal({ method: "GET" }).map(({ path }) => path);
      expect(asked.some((path) => path.endsWith(`/revisions/${ours}`))).toBe(true);
      expect(stack.state.latestRevisionId).toBe(theirs);
      expect(world.writes).toEqual([]);
    });

    test("does not report or roll back a failed foreign revision as its own", async () => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(agentAt("c".repeat(40), { rollout: { onFailure: "rollback" } }));
      world.admin.steer({ pace: { afterSeconds: 90 }, times: 1 });
      const rollout = { onFailure: "rollback", timeout: "1m" } as const;
      await stack.up(agentAt("d".repeat(40), { rollout }));
      const ours = stack.state.latestRevisionId;
      await world.clock.advance(60_000);
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      world.admin.pushRevision(stack.deploymentId);
      await world.clock.advance(60_000);
      world.forget();
      await stack.refresh();
      expect(stack.state.settledRevision).toMatchObject({ id: ours, status: "DEPLOYED" });
      expect((await stack.up(agentAt("d".repeat(40), { rollout }))).failure).toBeUndefined();
      expect(world.writes).toEqual([]);
    });
  },
);

test("polls a rollout by its ID after `wait: false`, even if a newer revision exists", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  await stack.up(agentAt("v2", { rollout: { wait: false } }));
  const ours = stack.state.latestRevisionId;
  expect(stack.state.awaitedRevision).toEqual({ id: ours });
  world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "theirs" } });
  await world.clock.advance(60_000);
  await stack.refresh();
  expect(stack.state.settledRevision).toMatchObject({ id: ours, status: "BUILD_FAILED" });
  expect(stack.state).not.toHaveProperty("awaitedRevision");
});

test.each([
  ["of another source", "theirs"],
  ["of the same source", "v2"],
])("finds its unreported revision in the next update, even if a revision %s is newer", async (_, repoRef) => {
  const limits: { hides: string[] } = { hides: [] };
  const world = await World.start({}, limits);
  const stack = await world.deployed();
  const since = stack.state.latestRevisionId;
  limits.hides = ["latest_revision_id"];
  const { failure } = await stack.up(agentAt("v2"));
  expect(failure?.reasons?.join()).toContain("no new revision was found");
  expect(stack.state.awaitedRevision).toEqual({ id: "", since });
  limits.hides = [];
  world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: repoRef } });
  await world.clock.advance(60_000);
  world.forget();
  expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
  expect(stack.state.settledRevision?.id).not.toBe(stack.state.latestRevisionId);
});

test("polls the foreign revision after a refresh has recorded its source", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentAt("v1"));
  world.admin.steer({ pace: { afterSeconds: 90 }, times: 1 });
  await stack.up(agentAt("v2", { rollout: { timeout: "1m" } }));
  world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
  const theirs = world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "v3" } });
  await stack.refresh();
  expect(stack.state.awaitedRevision).toEqual({ id: theirs });
  await world.clock.advance(600_000);
  world.forget();
  expect((await stack.up(agentAt("v3"))).failure).toBeUndefined();
  expect(world.writes).toHaveLength(1);
});
