import type { DialectName } from "../../../../emulator/index";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { isSecret } from "../../wire";
import { agent, canary, World } from "../../world";

const value = (length: number) => canary.padEnd(length, "x");

async function failed(inputs: DeploymentInputs, dialect: DialectName = "interface") {
  const world = await World.start({ dialect });
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "y".repeat(20_000), times: 1 });
  const stack = world.stack();
  const { failure } = await stack.up(inputs);
  return { world, stack, failure: failure! };
}

test("a failed rollout with 100 kB of secrets keeps the resource, and the next up goes on from it", async () => {
  const inputs = agent({ secrets: { CERTIFICATES: value(100_000), MODEL_KEY: value(20) } });
  const { world, stack, failure } = await failed(inputs);
  expect(failure.id).toBe(stack.deploymentId);
  expect(JSON.stringify([failure.properties, failure.reasons]).length).toBeLessThan(60_000);
  world.forget();
  expect((await stack.up(inputs)).step).toBe("update");
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  expect(stack.state.secrets).toEqual(inputs.secrets);
  expect((await stack.up(inputs)).step).toBe("same");
});

test("with other inputs that large it keeps the resource as well", async () => {
  const spec = {
    labels: Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`label-${n}`, "x".repeat(9)])),
  };
  const inputs = agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: spec } });
  const { world, stack, failure } = await failed(inputs);
  expect(failure.id).toBeTruthy();
  expect(failure.id).toBe(stack.deploymentId);
  world.forget();
  expect((await stack.up(inputs)).failure).toBeUndefined();
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  expect((await stack.up(inputs)).step).toBe("same");
});

describe.each(["interface", "langsmith"] as const)("a rollout with 100 kB of secrets, in %s", (dialect) => {
  const large = (key: string) =>
    agent({
      secrets: { CERTIFICATES: value(100_000), MODEL_KEY: `${canary}-${key}` },
      rollout: { timeout: "1m" },
    });

  async function timedOut() {
    const world = await World.start({ dialect });
    world.admin.steer({ pace: { afterSeconds: 90 }, times: 1 });
    const stack = world.stack();
    const { failure } = await stack.up(large("one"));
    expect(String(failure)).toBe("agentserver rollout_timeout");
    world.forget();
    return { world, stack };
  }

  test("that took too long is waited for by the next up, without a second revision", async () => {
    const { world, stack } = await timedOut();
    expect((await stack.up(large("one"))).failure).toBeUndefined();
    expect(world.writes).toEqual([]);
    expect((await stack.up(large("one"))).step).toBe("same");
  });

  test("is followed by exactly the change of a secret", async () => {
    const { world, stack } = await timedOut();
    expect((await stack.up(large("two"))).failure).toBeUndefined();
    expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
    expect((await stack.preview(large("two"))).changes).toBe(false);
  });

  test("keeps no secret in clear in state, nor what would give one away", async () => {
    const { stack } = await timedOut();
    expect(JSON.stringify(stack.outputs)).not.toContain(canary);
    for (const digest of Object.values(stack.outputs["omitted"] as object))
      expect(isSecret(digest)).toBe(true);
  });

  test("is refreshed without losing track", async () => {
    const { world, stack } = await timedOut();
    await world.clock.advance(120_000);
    expect(await stack.refresh()).toBe(true);
    world.forget();
    expect((await stack.up(large("one"))).failure).toBeUndefined();
    expect(world.writes).toEqual([]);
  });
});
