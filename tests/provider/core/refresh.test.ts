import { agent, agentAt, World } from "../world";

test("reports a change from old to new in a refresh, and from new to old in the next plan", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentAt("v1"));
  const recorded = structuredClone(stack.inputs);
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    source_revision_config: { repo_ref: "v9", graph_config_path: "langgraph.json" },
  });
  await world.clock.advance(600_000);
  world.log.said.length = 0;

  await stack.refresh();
  await stack.host.diff(stack.deploymentId, stack.outputs, recorded);
  expect(world.log.lines("info")).toEqual([
    "changed outside this program: sourceRevisionConfig.repoRef v1 → v9 [drift]",
  ]);

  world.log.said.length = 0;
  await stack.preview(agentAt("v1"));
  expect(world.log.lines("info")).toEqual([
    "needs a new revision: sourceRevisionConfig.repoRef v9 → v1 [revision]",
  ]);
});

test("does not report a change after a refresh that found none", async () => {
  const world = await World.start();
  const stack = await world.deployed(agent());
  const recorded = structuredClone(stack.inputs);
  world.log.said.length = 0;

  await stack.refresh();
  await stack.host.diff(stack.deploymentId, stack.outputs, recorded);

  expect(world.log.lines("info")).toEqual([]);
});

test("prints the reasons for a plan only once, even if the engine requests the plan again", async () => {
  const world = await World.start();
  const stack = await world.deployed(agentAt("v1"));
  world.log.said.length = 0;

  const checked = await stack.check(agentAt("v2"));
  for (let times = 0; times < 2; times += 1)
    await stack.host.diff(stack.deploymentId, stack.outputs, checked.inputs);

  expect(world.log.lines("info")).toEqual([
    "needs a new revision: sourceRevisionConfig.repoRef v1 → v2 [revision]",
  ]);
});
