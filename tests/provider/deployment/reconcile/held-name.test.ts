import { agent, World } from "../../world";

function refuseCreates(world: World, detail: string, times: number): void {
  world.admin.fault({ kind: "status", status: 409, method: "POST", path: "/v2/deployments", detail, times });
}

test("a name that a deleted deployment still holds is asked for again until it is free", async () => {
  const world = await World.start({ lingerSeconds: 120 });
  await (await world.deployed()).destroy();
  world.forget();
  const stack = world.stack();
  expect((await stack.up(agent())).step).toBe("create");
  const answers = world.admin.journal({ method: "POST" }).map(({ status }) => status);
  expect(answers.slice(0, -1).every((status) => status === 409)).toBe(true);
  expect([answers.length > 5, answers.at(-1)]).toEqual([true, 201]);
  expect(world.log.lines("status").join("\n")).toMatch(/name is held, \d+m\d*s? left/);
});

test("a replacement under the same name waits for the name as well", async () => {
  const world = await World.start({ lingerSeconds: 60 });
  const stack = await world.deployed();
  const first = stack.deploymentId;
  const moved = agent({
    sourceConfig: { ...agent().sourceConfig, repoUrl: "https://git.example.com/b.git" },
  });
  expect((await stack.up(moved)).step).toBe("replace");
  expect(stack.deploymentId).not.toBe(first);
});

test("after the deadline the text says how to get out of it", async () => {
  const world = await World.start({ lingerSeconds: 3_600 });
  await (await world.deployed()).destroy();
  const startedAt = world.clock.now();
  const { failure } = await world.stack().up(agent({ rollout: { timeout: "5m" } }));
  expect(world.clock.now() - startedAt).toBe(5 * 60_000);
  expect(failure!.message).toContain('The name "support-agent" is taken');
  expect(failure!.message).toContain("choose another name");
  expect(failure!.id).toBeUndefined();
});

test("a tracing project that was left behind is reported at once", async () => {
  const world = await World.start();
  const detail = "A tracing project named 'support-agent' already exists.";
  world.admin.fault({ kind: "status", status: 409, method: "POST", detail, times: 9 });
  const { failure } = await world.stack().up(agent());
  expect(failure!.message).toContain(detail);
  expect(failure!.message).toContain("delete or rename a tracing project of that name");
  expect(world.writes).toHaveLength(1);
});

test.each([
  ["support-agent", "The limit of this plan is reached: 5 deployments."],
  ["prod", "The limit of prod deployments of this plan is reached"],
  ["plan", "The named limit of this plan is reached: 5 deployments."],
  ["prod", "A deployment already exists for this agent environment"],
])(
  "a refusal of %s that is not about the name is an error at once, with the reason",
  async (name, detail) => {
    const world = await World.start();
    refuseCreates(world, detail, 999);
    const { failure } = await world.stack().up(agent({ name }));
    expect(failure!.message).toContain(`POST /v2/deployments was answered 409: ${detail.replace(/\.$/, "")}`);
    expect(failure!.id).toBeUndefined();
    expect(world.writes).toHaveLength(1);
  },
);

test.each([
  "A deployment named 'prod' already exists.",
  "Deployment `prod` is being cleaned up.",
  "The name prod is reserved until the cleanup has finished",
  "prod is still in use",
  "This name is taken.",
  "Duplicate deployment name",
])("a refusal that says %j is waited for", async (detail) => {
  const world = await World.start();
  refuseCreates(world, detail, 2);
  expect((await world.stack().up(agent({ name: "prod" }))).step).toBe("create");
  expect(world.writes).toHaveLength(3);
});

test("replies that are lost while the name is held count together: after three of them the create is given up", async () => {
  const world = await World.start();
  const path = "/v2/deployments";
  for (let round = 0; round < 5; round += 1) {
    refuseCreates(world, "This name is taken.", 1);
    if (round % 2 === 0) world.admin.fault({ kind: "status", status: 503, method: "POST", path });
    else world.admin.fault({ kind: "reset", when: "before", method: "POST", path });
  }
  const { failure } = await world.stack().up(agent());
  expect(failure!.message).toContain("POST /v2/deployments was answered 503");
  expect(failure!.id).toBeUndefined();
  // Each refusal and, after it, one reply that is lost.
  expect(world.writes).toHaveLength(6);
});

test("a name that is held for long is not asked for every few seconds", async () => {
  const world = await World.start({ lingerSeconds: 3_600 });
  await (await world.deployed()).destroy();
  world.forget();
  await world.stack().up(agent());
  expect(world.admin.journal({ method: "POST" }).length).toBeLessThan(70);
});
