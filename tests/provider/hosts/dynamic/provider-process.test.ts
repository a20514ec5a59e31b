import { rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../../emulator/index";
import { until } from "../../../tools/waiting";
import { agent, canary, World } from "../../world";
import { Engine } from "./engine";
import { program, start, text, urn } from "./in-process";
import { copyOfUserProject, ProviderProcess } from "./provider-process";

/** Returns the state after a create. */
async function created(provider: ProviderProcess) {
  const { inputs } = await provider.check({}, program);
  return { inputs, ...(await provider.create(inputs)) };
}

test("runs all operations in the engine's process, from check to delete", async () => {
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

test("reports the status of a change and the reasons for it with the resource's URN", async () => {
  const { engine, provider } = await start();
  const { inputs, id, outputs } = await created(provider);
  const status = engine.logged.filter(({ ephemeral }) => ephemeral);
  expect(status[0]!.message).toMatch(/^CREATING, limit (30m|29m5\d+s), poll 1$/);
  const before = engine.logged.length;
  await provider.diff(id, outputs, {
    ...inputs,
    sourceConfig: { ...agent().sourceConfig, buildOnPush: true },
  });
  expect(engine.logged.slice(before)).toEqual([
    {
      severity: 1,
      message: "patched without a new revision: sourceConfig.buildOnPush false → true [patch]",
      urn,
      ephemeral: false,
    },
  ]);
  expect(new Set(engine.logged.map((line) => line.urn))).toEqual(new Set([urn]));
  expect(JSON.stringify(engine.logged)).not.toContain(canary);
});

test("prefers the connection in the stack's configuration", async () => {
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

test("continues if an engine never responds to a log line", async () => {
  const { provider, engine } = await start({}, false);
  const { inputs, id, outputs } = await created(provider);
  expect((await provider.diff(id, outputs, { ...inputs, name: "other" })).changes).toBe(true);
  expect(engine.logged.length).toBeGreaterThan(0);
});

test("works without an engine log", async () => {
  const world = await World.start({ clock: systemClock });
  const provider = await ProviderProcess.start("127.0.0.1:1", world.environment);
  const { id, outputs, inputs } = await created(provider);
  expect((await provider.diff(id, outputs, { ...inputs, name: "other" })).changes).toBe(true);
});

test("exits when the engine is killed during a wait", async () => {
  const { world, provider } = await start();
  world.admin.steer({ pace: "step by step" });
  const { inputs } = await provider.check({}, program);
  const creating = provider.create(inputs).catch((error: unknown) => error);
  await until(() => world.admin.journal({ path: "/v2/deployments/:id/revisions/:revision" }).length > 0);

  await provider.loseEngine();

  expect(await creating).toMatchObject({ message: expect.any(String) });
});

test("exits when the engine is killed and the provider's code cannot be loaded", async () => {
  const engine = await Engine.start();
  const folder = copyOfUserProject();
  rmSync(join(folder, "node_modules/pulumi-agentserver/dist/provider/hosts/dynamic/host.js"));
  const provider = await ProviderProcess.start(engine.address, {}, {}, folder);
  await expect(provider.check({}, program)).rejects.toMatchObject({
    message: expect.stringContaining("Cannot find module"),
  });

  await provider.loseEngine();
});
