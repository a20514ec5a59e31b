import { agent, World } from "../../world";

test("a name that a deleted deployment still holds is asked for again until it is free", async () => {
  const world = await World.start({ lingerSeconds: 120 });
  await (await world.deployed()).destroy();
  world.forget();
  const stack = world.stack();
  expect((await stack.up(agent())).step).toBe("create");
  const answers = world.admin.journal({ method: "POST" }).map(({ status }) => status);
  expect(answers.slice(0, -1).every((status) => status === 409)).toBe(true);
  expect([answers.length > 5, answers.at(-1)]).toEqual([true, 201]);
  expect(world.log.lines("status").join("\n")).toMatch(/the name is held, \d+m\d*s? left/);
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
  expect(failure!.message).toContain('The name "support-agent" is held');
  expect(failure!.message).toContain("choose another name");
  expect(failure!.id).toBeUndefined();
});

test("a tracing project that was left behind is told at once", async () => {
  const world = await World.start();
  const detail = "A tracing project named 'support-agent' already exists.";
  world.admin.fault({ kind: "status", status: 409, method: "POST", detail, times: 9 });
  const { failure } = await world.stack().up(agent());
  expect(failure!.message).toContain(detail);
  expect(failure!.message).toContain("delete or rename a tracing project of that name");
  expect(world.writes).toHaveLength(1);
});
