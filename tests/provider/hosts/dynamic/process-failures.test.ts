import { join } from "node:path";
import type { Props } from "../../../../provider/resource/inputs/values";
import { canary } from "../../world";
import { program, start, text } from "./in-process";
import { userProject, type ProcessFailure } from "./provider-process";

test("reports a failed rollout as an initialization failure that keeps the resource", async () => {
  const { world, provider } = await start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: `no such ref, ${canary}-model`, pace: "at once" });
  const { inputs } = await provider.check({}, program);
  const failure = (await provider.create(inputs).catch((error: unknown) => error)) as ProcessFailure;
  expect(failure.kept).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    properties: { __provider: text, settledRevision: { status: "BUILD_FAILED" }, ownerId: inputs["ownerId"] },
  });
  expect(failure.kept!.reasons[0]).toMatch(
    /failed during the build \(BUILD_FAILED, after \d+s\): no such ref, \[secret\]\nNo revision of this deployment is serving requests\./,
  );
  expect(provider.output).not.toContain(canary);
});

test.each<[string, Props]>([
  ["100 kB of secrets", { secrets: { CERTIFICATES: canary.padEnd(100_000, "x") } }],
  [
    "very many small secrets",
    { secrets: Object.fromEntries(Array.from({ length: 3_200 }, (_, n) => [`K${n}`, "v"])) },
  ],
  ["a large resourceSpec", { sourceConfig: { resourceSpec: { note: "ü".repeat(60_000) } } }],
])("shortens a failure with %s to fit into a header", async (_what, change) => {
  const { world, provider } = await start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "ä".repeat(9_000), pace: "at once" });
  const { inputs } = await provider.check({}, { ...program, ...change });
  const failure = (await provider.create(inputs).catch((error: unknown) => error)) as ProcessFailure;
  expect(failure.kept?.id).toBeTruthy();
  expect(failure.kept!.properties).toHaveProperty("__provider", text);
});

test("sends the whole state if it is just small enough for a header", async () => {
  const { world, provider } = await start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "ä".repeat(9_000), pace: "at once" });
  const labels = Object.fromEntries(Array.from({ length: 1_650 }, (_, n) => [`k${n}`, n]));
  const { inputs } = await provider.check({}, { ...program, sourceConfig: { resourceSpec: { labels } } });
  const failure = (await provider.create(inputs).catch((error: unknown) => error)) as ProcessFailure;
  expect(failure.kept!.properties).toHaveProperty("sourceConfig.resourceSpec", { labels });
});

test.each(["undefined", "null", '"a text"', "42", "{ code: 1 }", 'new Error("")'])(
  "reports a thrown %s with a message",
  async (value) => {
    const { world, provider } = await start();
    const host = join(
      userProject(),
      "node_modules/pulumi-agentserver/dist/provider/hosts/dynamic/provider.js",
    );
    const hostile = `exports.handler = () => new (require(${JSON.stringify(host)}).DynamicHost)({
      env: process.env, argv: [], random: Math.random,
      clock: { now: () => { throw ${value}; }, sleep: () => Promise.reject(${value}) },
    });`;
    const props = { ...program, ownerId: "owner", __provider: hostile };
    for (const call of [
      () => provider.create(props),
      () => provider.update("id", props, props),
      () => provider.read("id", props),
      () => provider.delete("id", props),
    ]) {
      const failure = (await call().catch((error: unknown) => error)) as ProcessFailure;
      expect(failure.message.trim()).not.toBe("");
    }
    expect(world.writes).toEqual([]);
  },
);
