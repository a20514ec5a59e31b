import { join } from "node:path";
import { systemClock } from "../../../../emulator";
import type { Props } from "../../../../provider/deployment/state";
import { agent, canary, World } from "../../world";
import { Engine } from "./engine";
import { ProviderProcess, userProject, type ProcessFailure } from "./provider-process";

jest.setTimeout(60_000);

const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::agent";
const text = 'exports.handler = () => require("pulumi-agentserver/provider").provider;';
const program: Props = { ...agent(), __provider: text, __urn: urn };

async function start(env: NodeJS.ProcessEnv = {}, answers = true) {
  const world = await World.start({ clock: systemClock });
  world.admin.steer({ pace: { afterReads: 1 } });
  const engine = await Engine.start(answers);
  const provider = await ProviderProcess.start(engine.address, { ...world.environment, ...env });
  return { world, engine, provider };
}

/** The state that a create leaves. */
async function created(provider: ProviderProcess) {
  const { inputs } = await provider.check({}, program);
  return { inputs, ...(await provider.create(inputs)) };
}

test("a whole life works in the engine's process, from check to delete", async () => {
  const { world, provider } = await start();
  const { inputs, id, outputs } = await created(provider);
  expect(outputs).toMatchObject({ ...program, ownerId: inputs["ownerId"], schemaVersion: 1 });
  expect(await provider.diff(id, outputs, inputs)).toEqual({
    changes: false,
    replaces: [],
    deletesFirst: true,
  });

  const next = { ...inputs, sourceRevisionConfig: { repoRef: "v2" } };
  expect(await provider.diff(id, outputs, next)).toMatchObject({ changes: true, replaces: [] });
  expect((await provider.diff(id, outputs, { ...inputs, name: "other" })).replaces).toEqual(["name"]);
  const updated = await provider.update(id, outputs, next);
  expect(updated).toMatchObject({ serving: { sourceRevisionConfig: { repoRef: "v2" } }, __provider: text });

  const read = await provider.read(id, updated);
  expect(read).toMatchObject({
    id,
    outputs: { latestRevisionId: updated["latestRevisionId"], __provider: text },
  });
  await provider.delete(id, updated);
  expect((await provider.read(id, updated)).id).toBe("");
  expect(world.writes.map(({ method }) => method)).toEqual(["POST", "PATCH", "DELETE"]);
  expect(provider.output).not.toContain(canary);
});

test("the status column and the reasons of a change carry the resource's URN", async () => {
  const { engine, provider } = await start();
  const { inputs, id, outputs } = await created(provider);
  const status = engine.logged.filter(({ ephemeral }) => ephemeral);
  expect(status[0]!.message).toMatch(/^revision CREATING, 0s of 30m, look 1$/);
  await provider.diff(id, outputs, {
    ...inputs,
    sourceConfig: { ...agent().sourceConfig, buildOnPush: true },
  });
  expect(engine.logged.filter(({ ephemeral }) => !ephemeral)).toEqual([
    {
      severity: 1,
      message: "patched without a new revision: sourceConfig.buildOnPush false → true",
      urn,
      ephemeral: false,
    },
  ]);
  expect(new Set(engine.logged.map((line) => line.urn))).toEqual(new Set([urn]));
  expect(JSON.stringify(engine.logged)).not.toContain(canary);
});

test("the connection comes from the stack's configuration first", async () => {
  const world = await World.start({ clock: systemClock });
  const engine = await Engine.start();
  const config = {
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": world.plane.apiKey,
    "agentserver:tenantId": world.plane.tenantId,
  };
  const provider = await ProviderProcess.start(engine.address, { AGENTSERVER_TENANT_ID: "other" }, config);
  expect((await provider.check({}, program)).failures).toEqual([]);
  const without = await ProviderProcess.start(engine.address, {});
  expect((await without.check({}, program)).failures).toEqual([
    ["", expect.stringContaining("agentserver:baseUrl")],
  ]);
});

test("a failed rollout reaches the engine as an initialisation failure that keeps the resource", async () => {
  const { world, provider } = await start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: `no such ref, ${canary}-model`, pace: "at once" });
  const { inputs } = await provider.check({}, program);
  const failure = (await provider.create(inputs).catch((error: unknown) => error)) as ProcessFailure;
  expect(failure.kept).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    properties: { __provider: text, settledRevision: { status: "BUILD_FAILED" }, ownerId: inputs["ownerId"] },
  });
  expect(failure.kept!.reasons[0]).toMatch(/ended as BUILD_FAILED after \d+s: no such ref, \[secret\]$/);
  expect(provider.output).not.toContain(canary);
});

test.each<[string, Props]>([
  ["100 kB of secrets", { secrets: { CERTIFICATES: canary.padEnd(100_000, "x") } }],
  [
    "very many small secrets",
    { secrets: Object.fromEntries(Array.from({ length: 3_200 }, (_, n) => [`K${n}`, "v"])) },
  ],
  ["a large resourceSpec", { sourceConfig: { resourceSpec: { note: "ü".repeat(60_000) } } }],
])("with %s the failure still fits into a header", async (_what, change) => {
  const { world, provider } = await start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "ä".repeat(9_000), pace: "at once" });
  const { inputs } = await provider.check({}, { ...program, ...change });
  const failure = (await provider.create(inputs).catch((error: unknown) => error)) as ProcessFailure;
  expect(failure.kept?.id).toBeTruthy();
  expect(failure.kept!.properties).toHaveProperty("__provider", text);
});

test("state that just fits is kept whole", async () => {
  const { world, provider } = await start();
  world.admin.steer({ verdict: "BUILD_FAILED", reason: "ä".repeat(9_000), pace: "at once" });
  const labels = Object.fromEntries(Array.from({ length: 1_650 }, (_, n) => [`k${n}`, n]));
  const { inputs } = await provider.check({}, { ...program, sourceConfig: { resourceSpec: { labels } } });
  const failure = (await provider.create(inputs).catch((error: unknown) => error)) as ProcessFailure;
  expect(failure.kept!.properties).toHaveProperty("sourceConfig.resourceSpec", { labels });
});

test.each(["undefined", "null", '"a text"', "42", "{ code: 1 }", 'new Error("")'])(
  "%s that is thrown inside is answered with a message",
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

test("an engine that never answers a line of log does not hold anything up", async () => {
  const { provider, engine } = await start({}, false);
  const { inputs, id, outputs } = await created(provider);
  expect((await provider.diff(id, outputs, { ...inputs, name: "other" })).changes).toBe(true);
  expect(engine.logged.length).toBeGreaterThan(0);
});

test("without an engine to talk to it works as well", async () => {
  const world = await World.start({ clock: systemClock });
  const provider = await ProviderProcess.start("127.0.0.1:1", world.environment);
  const { id, outputs, inputs } = await created(provider);
  expect((await provider.diff(id, outputs, { ...inputs, name: "other" })).changes).toBe(true);
});
