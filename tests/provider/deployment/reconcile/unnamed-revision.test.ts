import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { ServerLimits } from "../../server-limits";
import type { Stack } from "../../stack";
import { agent, agentAt, World } from "../../world";

const dialects = ["interface", "langsmith"] as const;
type Dialect = (typeof dialects)[number];

async function revisionsOf(world: World, stack: Stack): Promise<string[]> {
  const list = await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`);
  return (list as { resources: { id: string }[] }).resources.map(({ id }) => id);
}

/** Runs an update that the control plane accepts without reporting which revision it created. */
async function unnamed(
  dialect: Dialect,
  from: DeploymentInputs,
  to: DeploymentInputs,
  before: (world: World, stack: Stack) => void = () => undefined,
) {
  const limits: ServerLimits = {};
  const world = await World.start({ dialect }, limits);
  const stack = await world.deployed(from);
  before(world, stack);
  // Hides the newest revision from the first write onward.
  const hides = { get: () => (world.writes.length > 0 ? ["latest_revision_id"] : []), configurable: true };
  Object.defineProperty(limits, "hides", hides);
  const { failure } = await stack.up(to);
  expect(failure?.reasons?.join()).toContain("no new revision was found");
  Object.defineProperty(limits, "hides", { value: [] });
  const [ours = ""] = await revisionsOf(world, stack);
  await world.clock.advance(60_000);
  world.forget();
  return { world, stack, limits, ours };
}

describe.each(dialects)(
  "a revision that the control plane did not report after a change (%s dialect)",
  (dialect) => {
    test("is found even after a refresh", async () => {
      const { world, stack, ours } = await unnamed(dialect, agentAt("v1"), agentAt("v2"));
      await stack.refresh();
      expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
      expect(world.writes).toEqual([]);
      expect(stack.state.settledRevision).toMatchObject({ id: ours, status: "DEPLOYED" });
    });

    test.each([true, false])("is found after a create and a refresh, with wait %s", async (wait) => {
      const limits: ServerLimits = { hides: ["latest_revision_id"] };
      const world = await World.start({ dialect }, limits);
      const stack = world.stack();
      await stack.up(agentAt("v1", { rollout: { wait } }));
      limits.hides = [];
      await world.clock.advance(60_000);
      await stack.refresh();
      world.forget();
      expect((await stack.up(agentAt("v1"))).failure).toBeUndefined();
      expect(world.writes).toEqual([]);
      expect(stack.state.settledRevision).toMatchObject({ status: "DEPLOYED" });
    });

    test.each([
      ["v1", true],
      ["theirs", true],
      ["theirs", false],
    ])(
      "is not mistaken for a foreign one with another source (%s, succeeds: %s)",
      async (repoRef, succeeds) => {
        const rollout = { onFailure: "rollback" } as const;
        const { world, stack, limits, ours } = await unnamed(
          dialect,
          agentAt("v1"),
          agentAt("v2", { rollout }),
        );
        limits.pruned = new Set([ours]);
        if (!succeeds) world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
        const theirs = world.admin.pushRevision(stack.deploymentId, {
          sourceRevisionConfig: { repo_ref: repoRef },
        });
        if (succeeds) await world.clock.advance(60_000);
        expect((await stack.up(agentAt("v2", { rollout }))).failure).toBeUndefined();
        expect(world.writes).toHaveLength(1);
        const { settledRevision, goodRevisionId, latestRevisionId, serving } = stack.state;
        expect(settledRevision).toMatchObject({ id: latestRevisionId, status: "DEPLOYED" });
        expect(latestRevisionId).not.toBe(theirs);
        expect(goodRevisionId).toBe(latestRevisionId);
        expect(serving?.revisionId).toBe(latestRevisionId);
      },
    );

    test("is not mistaken for a foreign revision if its predecessor is no longer listed", async () => {
      const { world, stack, limits, ours } = await unnamed(dialect, agentAt("v1"), agentAt("v2"));
      const theirs = world.admin.pushRevision(stack.deploymentId, {
        sourceRevisionConfig: { repo_ref: "theirs" },
      });
      limits.pruned = new Set([ours, stack.state.latestRevisionId]);
      await world.clock.advance(60_000);
      expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
      expect(world.writes).toHaveLength(1);
      expect(stack.state.settledRevision?.id).not.toBe(theirs);
    });
  },
);

test("finds the revision of changed settings if the deployment has these settings", async () => {
  const sized = agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: { cpu: 2 } } });
  const { world, stack, ours } = await unnamed("langsmith", agent(), sized);
  expect(stack.state.awaitedRevision).toMatchObject({ id: "", keepsSource: true });
  await stack.refresh();
  expect(stack.state.awaitedRevision).toMatchObject({ id: "", keepsSource: true });
  expect((await stack.up(sized)).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(stack.state.settledRevision).toMatchObject({ id: ours, status: "DEPLOYED" });
});

test("finds the revision of changed settings behind a push of another source", async () => {
  const repoRef = "a".repeat(40);
  const sized = agentAt(repoRef, { sourceConfig: { ...agent().sourceConfig, resourceSpec: { cpu: 2 } } });
  const push = ({ admin }: World, { deploymentId }: Stack) =>
    admin.pushRevision(deploymentId, { sourceRevisionConfig: { repo_ref: "theirs" } });
  const { world, stack, ours } = await unnamed("langsmith", agentAt(repoRef), sized, push);
  await stack.refresh();
  expect((await stack.up(sized)).failure).toBeUndefined();
  expect(world.writes).toEqual([]);
  expect(stack.state.settledRevision).toMatchObject({ id: ours, status: "DEPLOYED" });
  expect(stack.state.serving?.sourceRevisionConfig.repoRef).toBe(repoRef);
});

test("does not treat any revision as its own if the deployment lacks the changed settings", async () => {
  const sized = agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: { cpu: 2 } } });
  const { world, stack } = await unnamed("langsmith", agent(), sized);
  const other = { source_config: { resource_spec: { cpu: 4 } } };
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, other);
  await world.clock.advance(60_000);
  world.forget();
  expect((await stack.up(sized)).failure).toBeUndefined();
  expect(world.writes).toHaveLength(1);
  expect(stack.state.settledRevision?.id).toBe(stack.state.latestRevisionId);
});
