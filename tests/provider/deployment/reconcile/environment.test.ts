import { agent, canary, World } from "../../world";

const start = (): Promise<World> => World.start({ dialect: "langsmith" });

const environmentOf = async (world: World, stack: Parameters<World["record"]>[0]) => {
  const { secrets } = (await world.record(stack)) as { secrets: { name: string; value: string }[] };
  return Object.fromEntries(
    secrets.filter(({ name }) => name !== "AGENTSERVER_OWNER").map(({ name, value }) => [name, value]),
  );
};

test("sends plain variables with the secrets, and shows their changes", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ environmentVariables: { LOG: "info" } }));
  expect(await environmentOf(world, stack)).toEqual({ MODEL_KEY: `${canary}-model`, LOG: "info" });
  await stack.up(agent({ environmentVariables: { LOG: "debug" } }));
  expect(await environmentOf(world, stack)).toEqual({ MODEL_KEY: `${canary}-model`, LOG: "debug" });
  expect(world.writes).toHaveLength(1);
  expect(JSON.stringify(world.log.said)).toContain("environmentVariables.LOG info → debug");
});

test("sends nothing if a name moves between secrets and plain variables", async () => {
  const world = await start();
  const secret = agent({ secrets: { MODEL_KEY: "moved" } });
  const stack = await world.deployed(secret);
  const plain = agent({ secrets: {}, environmentVariables: { MODEL_KEY: "moved" } });
  expect(await stack.up(plain)).toMatchObject({ step: "update" });
  expect(await stack.up(secret)).toMatchObject({ step: "update" });
  expect(world.writes).toEqual([]);
});

test("hides the old value of a secret that becomes a plain variable", async () => {
  const world = await start();
  const stack = await world.deployed();
  await stack.up(agent({ secrets: {}, environmentVariables: { MODEL_KEY: "now plain" } }));
  expect(world.writes).toHaveLength(1);
  expect(JSON.stringify(world.log.said)).toContain("environmentVariables.MODEL_KEY");
  expect(JSON.stringify(world.log.said)).not.toContain(canary);
});

test("keeps other variables if only plain ones are declared, and removes its own", async () => {
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

test("removes plain variables that are no longer declared, but keeps the secrets", async () => {
  const world = await start();
  const stack = await world.deployed(agent({ environmentVariables: { LOG: "info" } }));
  await stack.up(agent());
  expect(await environmentOf(world, stack)).toEqual({ MODEL_KEY: `${canary}-model` });
});

test("reports an externally changed variable as drift", async () => {
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

test("rejects a name that is both a secret and a plain variable", async () => {
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
  "previews newly managed secrets as an uncertain change (%s dialect)",
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
      expect(world.log.kept).toContain("(value not known yet): secrets");
      expect(await stack.up(managed)).toMatchObject({ step: "update" });
      expect(world.writes).toHaveLength(sent);
      world.forget();
      expect(await stack.up(managed)).toMatchObject({ step: "same" });
    }
  },
);
