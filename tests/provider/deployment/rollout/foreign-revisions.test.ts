import { killedAt } from "../../killed";
import type { ServerLimits } from "../../server-limits";
import type { Stack } from "../../stack";
import { agent, agentAt, canary, World } from "../../world";

const secretsOf = (value: string) => ({ MODEL_KEY: `${canary}-${value}` });

async function revisionsOf(world: World, stack: Stack): Promise<string[]> {
  const list = await world.request("GET", `/v2/deployments/${stack.deploymentId}/revisions`);
  return (list as { resources: { id: string }[] }).resources.map(({ id }) => id);
}

/**
 * Runs an `up` that loses the response to its first PATCH, with a push by another client before the provider searches
 * for the revision. Returns the ID of the revision that the push created.
 */
async function upWithPush(
  world: World,
  stack: Stack,
  inputs: ReturnType<typeof agent>,
  { when, ref }: { when: "before" | "after"; ref: string },
): Promise<string> {
  world.admin.fault({ kind: "reset", when, method: "PATCH", path: "/v2/deployments/:id" });
  let theirs = "";
  const work = async () => expect((await stack.up(inputs)).failure).toBeUndefined();
  await killedAt({ request: Infinity, isCarriedOut: true }, work, () => {
    if (theirs === "" && world.writes.length > 0) {
      world.admin.steer({ verdict: "BUILD_FAILED", times: 1 });
      theirs = world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: ref } });
    }
    return Promise.resolve();
  });
  return theirs;
}

describe("a change to secrets that creates a revision, if the response is lost", () => {
  const hidden: ServerLimits[] = [{}, { secrets: "masked" }, { secrets: "omitted" }];

  test.each(hidden)("does not adopt a push of another ref as its own (%j)", async (limits) => {
    const world = await World.start({ dialect: "langsmith" }, limits);
    const stack = await world.deployed(agent({ secrets: secretsOf("a") }));
    const change = agent({ secrets: secretsOf("b") });
    const theirs = await upWithPush(world, stack, change, { when: "before", ref: "v9" });
    const [ours] = await revisionsOf(world, stack);
    expect(ours).not.toBe(theirs);
    expect(stack.state.settledRevision).toMatchObject({ id: ours, status: "DEPLOYED" });
  });

  test.each(hidden)("finds its own revision behind a push of another ref (%j)", async (limits) => {
    const world = await World.start({ dialect: "langsmith" }, limits);
    const stack = await world.deployed(agent({ secrets: secretsOf("a") }));
    const known = await revisionsOf(world, stack);
    const change = agent({ secrets: secretsOf("b"), rollout: { wait: false } });
    const theirs = await upWithPush(world, stack, change, { when: "after", ref: "v9" });
    const all = await revisionsOf(world, stack);
    expect(all).toHaveLength(known.length + 2);
    expect(stack.state.awaitedRevision).toEqual({ id: all.find((id) => ![...known, theirs].includes(id)) });
  });
});

test("does not mistake a push of another ref for the unreported revision of a change", async () => {
  const limits: ServerLimits = {};
  const world = await World.start({ dialect: "langsmith" }, limits);
  const stack = await world.deployed(agent({ secrets: secretsOf("a") }));
  const hides = { get: () => (world.writes.length > 0 ? ["latest_revision_id"] : []), configurable: true };
  Object.defineProperty(limits, "hides", hides);
  const change = agent({ secrets: secretsOf("b") });
  expect((await stack.up(change)).failure?.reasons?.join()).toContain("no new revision was found");
  Object.defineProperty(limits, "hides", { value: [] });
  const [ours = ""] = await revisionsOf(world, stack);
  limits.pruned = new Set([ours]);
  const theirs = world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "v9" } });
  await world.clock.advance(60_000);
  world.forget();
  expect((await stack.up(change)).failure).toBeUndefined();
  expect(world.writes).toHaveLength(1);
  expect(stack.state.settledRevision?.id).not.toBe(theirs);
});

test("does not mistake a push of another ref for a resize with a lost response", async () => {
  const world = await World.start({ dialect: "langsmith" }, { hides: ["compute_tier", "deployment_tier"] });
  const sized = (computeTier: string) =>
    agentAt("v1", { sourceConfig: { ...agent().sourceConfig, deploymentType: "dedicated" }, computeTier });
  const stack = await world.deployed(sized("DEDICATED_M"));
  const path = "/v2/deployments/:id/resource-tiers";
  world.admin.fault({ kind: "reset", when: "before", method: "PATCH", path });
  let theirs = "";
  const work = async () => expect((await stack.up(sized("DEDICATED_L"))).failure).toBeUndefined();
  await killedAt({ request: Infinity, isCarriedOut: true }, work, () => {
    if (theirs === "" && world.writes.length > 0)
      theirs = world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "v9" } });
    return Promise.resolve();
  });
  expect(await world.record(stack)).toMatchObject({ compute_tier: "DEDICATED_L" });
  expect(stack.state.settledRevision?.id).not.toBe(theirs);
});
