import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { scriptedAgents } from "../../scripted-agent";
import type { Stack } from "../../stack";
import { agentAt, World } from "../../world";

const verify = { graph: "agent" };

function verified(repoRef: string, rollout: DeploymentInputs["rollout"] = {}): DeploymentInputs {
  return agentAt(repoRef, { rollout: { verify, onFailure: "rollback", ...rollout } });
}

async function worldOf() {
  const agents = scriptedAgents();
  return { agents, world: await World.start({ dialect: "langsmith", runner: agents }) };
}

/** Creates this number of revisions that fail their verification. */
async function failVerifications(stack: Stack, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) {
    const { failure } = await stack.up(verified(`failed-${at}`, { onFailure: "keep" }));
    expect(failure!.message).toContain("failed its verification");
  }
}

test("does not roll back to a foreign revision that was never verified", async () => {
  const { agents, world } = await worldOf();
  const stack = world.stack();
  agents.script.graphs = [];
  await stack.up(verified("one"));
  world.admin.pushRevision(stack.deploymentId, { sourceRevisionConfig: { repo_ref: "theirs" } });
  await world.clock.advance(60_000);
  agents.script.broken = ["two"];
  world.forget();
  const { failure } = await stack.up(verified("two"));
  expect(failure!.reasons).toContain("Not rolled back: the deployment has no earlier verified revision.");
  expect(world.writes).toHaveLength(1);
});

test("does not roll back to any revision of a change that failed its verification", async () => {
  const { agents, world } = await worldOf();
  const sized = (inputs: DeploymentInputs, computeTier: string): DeploymentInputs => ({
    ...inputs,
    sourceConfig: { ...inputs.sourceConfig, deploymentType: "dedicated" },
    computeTier,
  });
  const stack = await world.deployed(sized(verified("good"), "DEDICATED_M"));
  const good = stack.state.latestRevisionId;
  agents.script.graphs = [];
  const { failure } = await stack.up(sized(verified("unverified", { onFailure: "keep" }), "DEDICATED_L"));
  expect(failure!.message).toContain("failed its verification");
  agents.script.broken = ["last"];
  const last = await stack.up(sized(verified("last", { verify: undefined }), "DEDICATED_L"));
  expect(last.failure!.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
});

test.each([true, false])(
  "does not roll back to unverified revisions if state cannot list all of them (verified: %s)",
  async (verifies) => {
    const { agents, world } = await worldOf();
    const stack = world.stack();
    agents.script.graphs = [];
    await failVerifications(stack, 21);
    agents.script.broken = ["last"];
    world.forget();
    const { failure } = await stack.up(verified("last", verifies ? {} : { verify: undefined }));
    expect(failure!.reasons).toContain("Not rolled back: the deployment has no earlier verified revision.");
    expect(world.writes).toHaveLength(1);
  },
);

test("rolls back to the good revision even if state cannot list all later failed verifications", async () => {
  const { agents, world } = await worldOf();
  const stack = await world.deployed(verified("good"));
  const good = stack.state.latestRevisionId;
  agents.script.graphs = [];
  await failVerifications(stack, 21);
  agents.script.broken = ["last"];
  const { failure } = await stack.up(verified("last", { verify: undefined }));
  expect(failure!.reasons!.join("\n")).toContain(`with the source of revision ${good} is DEPLOYED`);
});

test.each([true, false])(
  "does not roll back to an unreported revision that was never verified (verified: %s)",
  async (verifies) => {
    const agents = scriptedAgents();
    const limits = { hides: ["latest_revision_id"] };
    const world = await World.start({ dialect: "langsmith", runner: agents }, limits);
    const stack = world.stack();
    await stack.up(verified("one"));
    expect(stack.state.awaitedRevision?.id).toBe("");
    limits.hides = [];
    await world.clock.advance(60_000);
    agents.script.broken = ["two"];
    world.forget();
    const { failure } = await stack.up(verified("two", verifies ? {} : { verify: undefined }));
    expect(failure!.reasons!.join("\n")).toMatch(
      /^Not rolled back: the deployment has no earlier (verified|successful) revision/m,
    );
    expect(world.writes).toHaveLength(1);
  },
);
