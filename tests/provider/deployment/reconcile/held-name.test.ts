import { agent, World } from "../../world";

function refuseCreates(world: World, detail: string, times: number): void {
  world.admin.fault({ kind: "status", status: 409, method: "POST", path: "/v2/deployments", detail, times });
}

test("retries until a deployment that is being deleted releases the name", async () => {
  const world = await World.start({ lingerSeconds: 120 });
  await (await world.deployed()).destroy();
  world.forget();
  const stack = world.stack();
  expect((await stack.up(agent())).step).toBe("create");
  const answers = world.admin.journal({ method: "POST" }).map(({ status }) => status);
  expect(answers.slice(0, -1).every((status) => status === 409)).toBe(true);
  expect([answers.length > 5, answers.at(-1)]).toEqual([true, 201]);
  expect(world.log.lines("status").join("\n")).toMatch(
    /name is in use, waiting up to \d+m(\d+s)? for a deleted deployment/,
  );
});

test("retries the create of a replacement until its name is released", async () => {
  const world = await World.start({ lingerSeconds: 60 });
  const stack = await world.deployed();
  const first = stack.deploymentId;
  const moved = agent({
    sourceConfig: { ...agent().sourceConfig, repoUrl: "https://git.example.com/b.git" },
  });
  expect((await stack.up(moved)).step).toBe("replace");
  expect(stack.deploymentId).not.toBe(first);
});

test("explains how to resolve the conflict after the deadline", async () => {
  const world = await World.start({ lingerSeconds: 3_600 });
  await (await world.deployed()).destroy();
  const startedAt = world.clock.now();
  const { failure } = await world.stack().up(agent({ rollout: { timeout: "5m" } }));
  expect(world.clock.now() - startedAt).toBe(5 * 60_000);
  expect(failure!.message).toContain('The name "support-agent" is in use');
  expect(failure!.message).toContain("choose another name");
  expect(failure!.id).toBeUndefined();
});

test("reports an orphaned tracing project immediately", async () => {
  const world = await World.start();
  const detail = "A tracing project named 'support-agent' already exists.";
  world.admin.fault({ kind: "status", status: 409, method: "POST", detail, times: 9 });
  const { failure } = await world.stack().up(agent());
  expect(failure!.message).toContain(detail);
  expect(failure!.message).toContain("delete or rename an orphaned tracing project with that name");
  expect(world.writes).toHaveLength(1);
});

test.each([
  ["support-agent", "The limit of this plan is reached: 5 deployments."],
  ["prod", "The limit of prod deployments of this plan is reached"],
  ["plan", "The named limit of this plan is reached: 5 deployments."],
  ["prod", "A deployment already exists for this agent environment"],
])("reports a rejection of %s for another reason immediately", async (name, detail) => {
  const world = await World.start();
  refuseCreates(world, detail, 999);
  const { failure } = await world.stack().up(agent({ name }));
  expect(failure!.message).toContain(`POST /v2/deployments returned 409: ${detail.replace(/\.$/, "")}`);
  expect(failure!.id).toBeUndefined();
  expect(world.writes).toHaveLength(1);
});

test.each([
  "A deployment named 'prod' already exists.",
  "Deployment `prod` is being cleaned up.",
  "The name prod is reserved until the cleanup has finished",
  "prod is still in use",
  "This name is taken.",
  "Duplicate deployment name",
])("waits after a rejection with %j", async (detail) => {
  const world = await World.start();
  refuseCreates(world, detail, 2);
  expect((await world.stack().up(agent({ name: "prod" }))).step).toBe("create");
  expect(world.writes).toHaveLength(3);
});

test("stops after three lost responses in total while the name is in use", async () => {
  const world = await World.start();
  const path = "/v2/deployments";
  for (let round = 0; round < 5; round += 1) {
    refuseCreates(world, "This name is taken.", 1);
    if (round % 2 === 0) world.admin.fault({ kind: "status", status: 503, method: "POST", path });
    else world.admin.fault({ kind: "reset", when: "before", method: "POST", path });
  }
  const { failure } = await world.stack().up(agent());
  expect(failure!.message).toContain("POST /v2/deployments returned 503");
  expect(failure!.id).toBeUndefined();
  // Each rejection and, after it, one lost response.
  expect(world.writes).toHaveLength(6);
});

test("retries less often the longer a name is in use", async () => {
  const world = await World.start({ lingerSeconds: 3_600 });
  await (await world.deployed()).destroy();
  world.forget();
  await world.stack().up(agent());
  expect(world.admin.journal({ method: "POST" }).length).toBeLessThan(70);
});
