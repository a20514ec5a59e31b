import { agent, canary, World } from "../../world";

const start = (): Promise<World> => World.start({ dialect: "langsmith" });

const environmentOf = async (world: World, stack: Parameters<World["record"]>[0]) => {
  const { secrets } = (await world.record(stack)) as { secrets: { name: string; value: string }[] };
  return Object.fromEntries(
    secrets.filter(({ name }) => name !== "AGENTSERVER_OWNER").map(({ name, value }) => [name, value]),
  );
};

test("plain variables travel with the secrets, and are shown in changes", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ environmentVariables: { LOG: "info" } }));
  expect(await environmentOf(world, stack)).toEqual({ MODEL_KEY: `${canary}-model`, LOG: "info" });
  await stack.up(agent({ environmentVariables: { LOG: "debug" } }));
  expect(await environmentOf(world, stack)).toEqual({ MODEL_KEY: `${canary}-model`, LOG: "debug" });
  expect(world.writes).toHaveLength(1);
  expect(JSON.stringify(world.log.said)).toContain("environmentVariables.LOG info → debug");
});

test("a name that moves between secrets and plain variables changes nothing at the control plane", async () => {
  const world = await start();
  const stack = await world.deployed();
  const plain = agent({ secrets: {}, environmentVariables: { MODEL_KEY: `${canary}-model` } });
  expect(await stack.up(plain)).toMatchObject({ step: "update" });
  expect(await stack.up(agent())).toMatchObject({ step: "update" });
  expect(world.writes).toEqual([]);
});

test("the old value of a secret that becomes a plain variable is not shown", async () => {
  const world = await start();
  const stack = await world.deployed();
  await stack.up(agent({ secrets: {}, environmentVariables: { MODEL_KEY: "now plain" } }));
  expect(world.writes).toHaveLength(1);
  expect(JSON.stringify(world.log.said)).toContain("environmentVariables.MODEL_KEY");
  expect(JSON.stringify(world.log.said)).not.toContain(canary);
});

test("plain variables alone leave other variables as they are, and take their own away", async () => {
  const world = await start();
  const bare = agent({ secrets: undefined, environmentVariables: { LOG: "info", REGION: "eu" } });
  const stack = await world.deployed(bare);
  const { secrets } = (await world.record(stack)) as { secrets: object[] };
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    secrets: [...secrets, { name: "THEIRS", value: "kept" }],
  });
  await stack.refresh();
  expect(await stack.up(bare)).toMatchObject({ step: "same" });
  await stack.up({ ...bare, environmentVariables: { LOG: "debug" } });
  expect(await environmentOf(world, stack)).toEqual({ LOG: "debug", THEIRS: "kept" });
});

test("without plain variables in the program there are none beside the secrets", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ environmentVariables: { LOG: "info" } }));
  await stack.up(agent());
  expect(await environmentOf(world, stack)).toEqual({ MODEL_KEY: `${canary}-model` });
});

test("a variable that somebody else changed is drift", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ environmentVariables: { LOG: "info" } }));
  const { secrets } = (await world.record(stack)) as { secrets: { name: string }[] };
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    secrets: secrets.map((one) => (one.name === "LOG" ? { ...one, value: "trace" } : one)),
  });
  await stack.refresh();
  expect(stack.inputs).toMatchObject({ environmentVariables: { LOG: "trace" } });
  expect(await stack.up(agent({ environmentVariables: { LOG: "info" } }))).toMatchObject({ step: "update" });
  expect(await environmentOf(world, stack)).toMatchObject({ LOG: "info" });
});

test("a name stands in one of the two", async () => {
  const world = await start();
  const { failures } = await world.stack().check(agent({ environmentVariables: { MODEL_KEY: "x" } }));
  expect(failures).toEqual([
    {
      property: "",
      reason: "environmentVariables.MODEL_KEY: is in `secrets` as well; remove it from one of the two",
    },
  ]);
});

test.each(["interface", "langsmith"] as const)(
  "previews secrets that become managed as a change that is not certain yet, in %s",
  async (dialect) => {
    const world = await World.start({ dialect });
    const unmanaged = agent({ secrets: undefined });
    const [empty, others] = [await world.deployed(unmanaged), world.stack()];
    await others.up({ ...unmanaged, name: "other" });
    await world.request("PATCH", `/v2/deployments/${others.deploymentId}`, {
      secrets: [
        ...((await world.record(others)) as { secrets: object[] }).secrets,
        { name: "THEIRS", value: "a" },
      ],
    });
    await world.clock.advance(60_000);
    await others.refresh();
    world.forget();
    for (const [stack, name, sent] of [
      [empty, undefined, 0],
      [others, "other", 1],
    ] as const) {
      const managed = agent({ secrets: {}, ...(name && { name }) });
      await stack.preview(managed);
      expect(world.log.kept).toContain("value not known yet: secrets");
      expect(await stack.up(managed)).toMatchObject({ step: "update" });
      expect(world.writes).toHaveLength(sent);
      world.forget();
      expect(await stack.up(managed)).toMatchObject({ step: "same" });
    }
  },
);
