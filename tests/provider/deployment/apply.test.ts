import type { DialectName } from "../../../emulator/index";
import { everyKill, killedAt } from "../killed";
import type { Stack } from "../stack";
import { agent, agentAt, canary, World } from "../world";

const dialects: DialectName[] = ["interface", "langsmith"];
const tagName = "AGENTSERVER_OWNER";
const anotherOwner = "11111111-1111-1111-1111-111111111111";

type Secrets = { name: string; value: string }[];

async function secretsAt(world: World, stack: Stack): Promise<Secrets> {
  return ((await world.record(stack)) as { secrets: Secrets }).secrets;
}

async function revisionsOf(world: World, stack: Stack): Promise<{ id: string }[]> {
  const path = `/v2/deployments/${stack.deploymentId}/revisions`;
  return ((await world.request("GET", path)) as { resources: { id: string }[] }).resources;
}

/** Adds or changes one variable of a deployment, in the same way as the control plane's UI. */
async function setSecret(world: World, stack: Stack, name: string, value: string): Promise<void> {
  const secrets = (await secretsAt(world, stack)).filter((one) => one.name !== name);
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, {
    secrets: [...secrets, { name, value }],
  });
}

/** Simulates another stack that adopts a deployment, by replacing the owner in the ownership tag. */
async function adoptElsewhere(world: World, stack: Stack): Promise<void> {
  const tag = (await secretsAt(world, stack)).find(({ name }) => name === tagName)!.value;
  await setSecret(world, stack, tagName, tag.replace(/^[^/]+/, anotherOwner));
}

/** Runs an operation, and calls `after` after each of its requests. */
async function withOthers(work: () => Promise<unknown>, after: (requests: number) => Promise<void>) {
  let requests = 0;
  await killedAt({ request: Infinity, isCarriedOut: true }, work, () => after((requests += 1)));
}

const isPatched = (world: World) => world.writes.some(({ method }) => method === "PATCH");

describe.each(dialects)("a change to the environment (%s dialect)", (dialect) => {
  const plain = (LEVEL: string) =>
    agent({ secrets: undefined, environmentVariables: { LEVEL }, rollout: { wait: false } });

  /** Returns a deployment whose rollout is in progress, so that the next update reads its revision first. */
  async function unsettled() {
    const world = await World.start({ dialect });
    const stack = await world.deployed(plain("a"));
    await setSecret(world, stack, "THEIRS", `${canary}-old`);
    await stack.refresh();
    await stack.up(plain("b"));
    world.forget();
    return { world, stack };
  }

  test.each([1, 2])("keeps a secret that is rotated after request %i of the update", async (request) => {
    const { world, stack } = await unsettled();
    await withOthers(
      async () => expect((await stack.up(plain("c"))).failure).toBeUndefined(),
      async (requests) => {
        if (requests === request) await setSecret(world, stack, "THEIRS", `${canary}-new`);
      },
    );
    expect(await secretsAt(world, stack)).toEqual(
      expect.arrayContaining([
        { name: "THEIRS", value: `${canary}-new` },
        { name: "LEVEL", value: "c" },
      ]),
    );
  });

  test.each([1, 2])("does not overwrite an adoption after request %i of the update", async (request) => {
    const { world, stack } = await unsettled();
    await withOthers(
      async () => expect((await stack.up(plain("c"))).failure?.message).toContain("is owned by"),
      async (requests) => {
        if (requests === request) await adoptElsewhere(world, stack);
      },
    );
    const secrets = await secretsAt(world, stack);
    expect(secrets.find(({ name }) => name === tagName)?.value).toContain(anotherOwner);
    expect(secrets).toContainEqual({ name: "LEVEL", value: "b" });
  });

  test("does not change the ref of a deployment that was adopted during a pause", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed();
    const path = "/v2/deployments/:id";
    world.admin.fault({ kind: "status", status: 429, retryAfter: 30, method: "PATCH", path });
    await withOthers(
      async () => expect((await stack.up(agentAt("v2"))).failure?.message).toContain("is owned by"),
      async () => {
        if (isPatched(world) && !(await isAdopted(world, stack))) await adoptElsewhere(world, stack);
      },
    );
    expect(JSON.stringify(await revisionsOf(world, stack))).not.toContain("v2");
  });
});

async function isAdopted(world: World, stack: Stack): Promise<boolean> {
  return (await secretsAt(world, stack)).some(({ value }) => value.startsWith(anotherOwner));
}

describe.each(dialects)("a read that is rejected after an accepted PATCH (%s dialect)", (dialect) => {
  /** Returns a function that makes the control plane reject the first read after the first PATCH. */
  const refusing = (world: World) => {
    let isRefused = false;
    return () => {
      if (!isRefused && isPatched(world)) {
        world.admin.fault({ kind: "status", status: 403, times: 1, method: "GET" });
        isRefused = true;
      }
      return Promise.resolve();
    };
  };

  test("keeps the ID and state of the adopted deployment", async () => {
    const world = await World.start({ dialect });
    const { deploymentId } = await world.deployed();
    const stack = world.stack();
    await withOthers(async () => {
      const { failure } = await stack.up(agentAt("v2", { adopt: "always" }));
      expect(failure?.reasons?.join("\n")).toMatch(/was adopted, but the operation is not finished: .* 403/);
    }, refusing(world));
    expect(stack.id).toBe(deploymentId);
    expect(stack.state.sourceRevisionConfig.repoRef).toBe("v2");
    const { length } = await revisionsOf(world, stack);
    world.admin.clearFaults();
    expect((await stack.up(agentAt("v2"))).failure).toBeUndefined();
    expect(await revisionsOf(world, stack)).toHaveLength(length);
  });

  test("keeps the changes of an update", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(agent({ adopt: "always" }));
    await adoptElsewhere(world, stack);
    await world.clock.advance(60_000);
    world.forget();
    const secrets = { MODEL_KEY: `${canary}-new` };
    await withOthers(async () => {
      const { failure } = await stack.up(agentAt("v2", { secrets, adopt: "always" }));
      expect(failure?.id).toBe(stack.deploymentId);
    }, refusing(world));
    expect(stack.state).toMatchObject({ secrets, sourceRevisionConfig: { repoRef: "v2" } });
    const { length } = await revisionsOf(world, stack);
    world.admin.clearFaults();
    expect((await stack.up(agent({ adopt: "always" }))).failure).toBeUndefined();
    expect(await revisionsOf(world, stack)).toHaveLength(length + 1);
  });
});

describe.each(dialects)("a change to rollout.triggers (%s dialect)", (dialect) => {
  const triggered = (trigger: string, change: object = {}) =>
    agent({ rollout: { triggers: [trigger] }, ...change });

  test.each([{}, { secrets: { MODEL_KEY: `${canary}-new` } }])(
    "creates a separate revision after others pushed the same ref (%#)",
    async (change) => {
      const world = await World.start({ dialect });
      const stack = await world.deployed(triggered("a"));
      const theirs = world.admin.pushRevision(stack.deploymentId);
      await world.clock.advance(60_000);
      expect(await stack.up(triggered("b", change))).toMatchObject({ step: "update" });
      const revisions = await revisionsOf(world, stack);
      expect(revisions).toHaveLength(3);
      expect(revisions[0]!.id).not.toBe(theirs);
      expect(stack.state.settledRevision).toMatchObject({ id: revisions[0]!.id, status: "DEPLOYED" });
      expect(await stack.up(triggered("b", change))).toMatchObject({ step: "same" });
    },
  );

  test("creates a revision if the trigger is restored or declared again after a push", async () => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(triggered("a"));
    for (const rollout of [{ triggers: ["b"] }, { triggers: ["a"] }, {}, { triggers: ["a"] }]) {
      world.admin.pushRevision(stack.deploymentId);
      await world.clock.advance(60_000);
      const { length } = await revisionsOf(world, stack);
      await stack.up(agent({ rollout }));
      const made = rollout.triggers ? 1 : 0;
      expect([rollout, (await revisionsOf(world, stack)).length]).toEqual([rollout, length + made]);
    }
  });

  test.each(everyKill(6))("creates one revision even if the provider is killed at %j", async (kill) => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(triggered("a"));
    const { inputs, outputs } = stack;
    if (!(await killedAt(kill, () => stack.up(triggered("b"))))) return;
    Object.assign(stack, { inputs, outputs, host: world.host() });
    expect((await stack.up(triggered("b"))).failure).toBeUndefined();
    expect(await revisionsOf(world, stack)).toHaveLength(2);
  });
});
