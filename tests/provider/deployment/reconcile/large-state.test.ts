import type { DialectName } from "../../../../emulator/index";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import { isSecret } from "../../wire";
import { agent, canary, World } from "../../world";

const value = (length: number) => canary.padEnd(length, "x");

test("keeps the resource after a failed rollout with a large resourceSpec", async () => {
  const spec = {
    labels: Object.fromEntries(Array.from({ length: 4_000 }, (_, n) => [`label-${n}`, "x".repeat(9)])),
  };
  const inputs = agent({ sourceConfig: { ...agent().sourceConfig, resourceSpec: spec } });
  const world = await World.start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "y".repeat(20_000), times: 1 });
  const stack = world.stack();
  const { failure } = await stack.up(inputs);
  expect(failure!.id).toBeTruthy();
  expect(failure!.id).toBe(stack.deploymentId);
  world.forget();
  expect((await stack.up(inputs)).failure).toBeUndefined();
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  expect((await stack.up(inputs)).step).toBe("same");
});

const cluster = agent({
  source: "external_docker",
  sourceConfig: { resourceSpec: { cpu: 1, memoryMb: 1024, minScale: 1, maxScale: 1 } },
  sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
});
const many = (count: number, of: (index: number) => unknown) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`SOME_VARIABLE_NUMBER_${index}`, of(index)]),
  );

test.each<[string, DeploymentInputs, DialectName]>([
  ["a display name of 40 kB (interface)", agent({ displayName: "x".repeat(40_000) }), "interface"],
  ["a display name of 40 kB (langsmith)", agent({ displayName: "x".repeat(40_000) }), "langsmith"],
  [
    "350 secret references",
    {
      ...cluster,
      secretReferences: many(350, (index) => ({
        secretName: `a-secret-of-the-cluster-${index}`,
        secretKey: `key-of-the-secret-${index}`,
      })) as DeploymentInputs["secretReferences"],
    },
    "langsmith",
  ],
  [
    "2,000 plain variables",
    agent({ environmentVariables: many(2_000, String) as Record<string, string> }),
    "interface",
  ],
  ["triggers of 60 kB", agent({ rollout: { triggers: ["x".repeat(60_000)] } }), "interface"],
  [
    "a build command of 50 kB",
    agent({ sourceConfig: { ...agent().sourceConfig, buildCommand: "y".repeat(50_000) } }),
    "langsmith",
  ],
])("keeps the ID and the state after a failed rollout with %s", async (_what, inputs, dialect) => {
  const world = await World.start({ dialect });
  if (inputs.source === "external_docker")
    await world.request("POST", "/v2/listeners", {
      compute_type: "k8s",
      compute_id: "c-1",
      compute_config: { k8s_namespaces: ["ns"] },
    });
  world.admin.steer({ verdict: "DEPLOY_FAILED", reason: "y".repeat(20_000), times: 1 });
  const stack = world.stack();
  const { failure, checkFailures } = await stack.up(inputs);
  expect(checkFailures).toEqual([]);
  expect(failure!.id).toBeTruthy();
  expect(JSON.stringify([failure!.properties, failure!.reasons]).length).toBeLessThan(60_000);
  world.forget();
  stack.host = world.host();
  expect((await stack.up(inputs)).failure).toBeUndefined();
  expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
  expect((await stack.up(inputs)).step).toBe("same");
});

describe.each(["interface", "langsmith"] as const)(
  "a rollout with 100 kB of secrets (%s dialect)",
  (dialect) => {
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
      expect(failure!.message).toContain("the limit of rollout.timeout (1m for the whole operation)");
      world.forget();
      return { world, stack };
    }

    test("is resumed by the next update after a timeout, without a second revision", async () => {
      const { world, stack } = await timedOut();
      expect((await stack.up(large("one"))).failure).toBeUndefined();
      expect(world.writes).toEqual([]);
      expect((await stack.up(large("one"))).step).toBe("same");
    });

    test("does not prevent the next update from changing only a secret", async () => {
      const { world, stack } = await timedOut();
      expect((await stack.up(large("two"))).failure).toBeUndefined();
      expect(world.writes.map(({ method }) => method)).toEqual(["PATCH"]);
      expect((await stack.preview(large("two"))).changes).toBe(false);
    });

    test("does not leave plaintext secrets, or values that reveal one, in state", async () => {
      const { stack } = await timedOut();
      expect(JSON.stringify(stack.outputs)).not.toContain(canary);
      for (const digest of Object.values(stack.outputs["omitted"] as object))
        expect(isSecret(digest)).toBe(true);
    });

    test("does not lose its ID or its state in a refresh", async () => {
      const { world, stack } = await timedOut();
      await world.clock.advance(120_000);
      expect(await stack.refresh()).toBe(true);
      world.forget();
      expect((await stack.up(large("one"))).failure).toBeUndefined();
      expect(world.writes).toEqual([]);
    });
  },
);
