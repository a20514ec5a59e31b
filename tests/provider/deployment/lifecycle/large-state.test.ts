import type { DeploymentInputs } from "../../../../provider/deployment/inputs";
import { agent, canary, World } from "../../world";

const value = (length: number) => canary.padEnd(length, "x");

async function failed(inputs: DeploymentInputs) {
  const world = await World.start();
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
