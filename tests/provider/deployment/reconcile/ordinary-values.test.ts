import { join } from "node:path";
import { DeploymentsClient } from "../../../../provider/control-plane/client/deployments";
import { UploadsClient } from "../../../../provider/control-plane/client/uploads";
import type { DeploymentInputs } from "../../../../provider/deployment/inputs/inputs";
import type { Stack } from "../../stack";
import { temporaryFolder, writeFile } from "../../../tools/temporary-folder";
import { agent, agentAt, canary, World } from "../../world";

const dialects = ["interface", "langsmith"] as const;
type Secret = { name: string; value: string };

async function secretsAt(world: World, stack: Stack): Promise<Secret[]> {
  return ((await world.record(stack)) as { secrets: Secret[] }).secrets;
}

async function valuesAt(world: World, stack: Stack): Promise<Record<string, string>> {
  const others = (await secretsAt(world, stack)).filter(({ name }) => name !== "AGENTSERVER_OWNER");
  return Object.fromEntries(others.map(({ name, value }) => [name, value]));
}

async function rotate(world: World, stack: Stack, set: Record<string, string>): Promise<void> {
  const kept = (await secretsAt(world, stack)).filter(({ name }) => !Object.hasOwn(set, name));
  const changed = Object.entries(set).map(([name, value]) => ({ name, value }));
  await world.request("PATCH", `/v2/deployments/${stack.deploymentId}`, { secrets: [...kept, ...changed] });
}

const masks = ["hidden", "masked", "[redacted]", "***", "ab****yz", "••••••••", ""];

afterEach(() => jest.restoreAllMocks());

describe.each(dialects)("a deployment with values that resemble masks (%s dialect)", (dialect) => {
  test.each(masks)("keeps %j when another plain variable changes", async (value) => {
    const world = await World.start({ dialect });
    const inputs = (more: object) =>
      agent({ secrets: undefined, environmentVariables: { MODE: value, ...more } });
    const stack = await world.deployed(inputs({}));
    await rotate(world, stack, { THEIRS: value });
    expect((await stack.up(inputs({ B: "2" }))).failure).toBeUndefined();
    expect(await valuesAt(world, stack)).toEqual({ MODE: value, B: "2", THEIRS: value });
    await stack.refresh();
    expect((await stack.up(inputs({ B: "2" }))).step).toBe("same");
  });

  test.each(masks)("shows %j as the value that others have set", async (value) => {
    const world = await World.start({ dialect });
    const stack = await world.deployed(agent({ secrets: { MODEL_KEY: "one" } }));
    await rotate(world, stack, { MODEL_KEY: value });
    await stack.refresh();
    expect(stack.state.secrets).toEqual({ MODEL_KEY: value });
  });

  test("is reclaimed from another stack, and receives the ownership tag", async () => {
    const world = await World.start({ dialect });
    const inputs = agent({ secrets: undefined, environmentVariables: { MODE: "hidden" } });
    const first = await world.deployed(inputs);
    const second = world.stack();
    await second.up(agent({ secrets: { MODE: "hidden" }, adopt: "always" }));
    expect((await first.up({ ...inputs, adopt: "always" })).failure).toBeUndefined();
    await first.refresh();
    expect(first.state).not.toHaveProperty("heldBy");
    expect((await second.up(agent({ secrets: { MODE: "2" } }))).failure?.message).toContain("owned by");
  });
});

describe.each(dialects)("an update that cannot write the ownership tag (%s dialect)", (dialect) => {
  test("fails to reclaim a deployment, and changes nothing", async () => {
    const world = await World.start({ dialect });
    const inputs = agent({ secrets: undefined, environmentVariables: { MODE: "a" } });
    const first = await world.deployed(inputs);
    await world.stack().up(agent({ secrets: { MODE: "a", MORE: canary }, adopt: "always" }));
    world.forget();
    // The server reports the value of the tag, but not the value of a secret.
    const record = (await world.record(first)) as { secrets: Secret[] };
    const secrets = record.secrets.map(({ name, value }) => (name === "MORE" ? { name } : { name, value }));
    const path = "/v2/deployments/:id";
    world.admin.fault({
      kind: "status",
      status: 200,
      method: "GET",
      path,
      body: { ...record, secrets },
      times: 2,
    });
    const { failure } = await first.up({ ...inputs, adopt: "always" });
    expect(failure!.message).toMatch(
      /The ownership tag of deployment .* cannot be written.*Nothing was changed/,
    );
    expect(world.writes).toEqual([]);
  });

  test("keeps other variables, whose values may be masked, if the deployment has no tag", async () => {
    const world = await World.start({ dialect });
    const other = await world.deployed(agent({ secrets: { THEIRS: "kept" } }));
    const secrets = [{ name: "THEIRS", value: "********" }];
    await world.request("PATCH", `/v2/deployments/${other.deploymentId}`, { secrets });
    await world.clock.advance(60_000);
    world.forget();
    const stack = world.stack();
    const { failure } = await stack.up(agent({ secrets: undefined, adopt: "always" }));
    expect(world.writes).toEqual([]);
    if (dialect === "interface")
      expect(failure!.message).toContain("without an ownership tag, it is not certain");
    else {
      // If secrets create a revision, the tag is not required before the next revision.
      expect(failure).toBeUndefined();
      expect(world.log.kept).toContain("is adopted without an ownership tag");
      const update = await stack.up(agentAt("v2", { secrets: undefined, adopt: "always" }));
      expect(update).toMatchObject({ step: "update" });
      expect(await secretsAt(world, stack)).toEqual(secrets);
    }
    const managed = agent({ secrets: { THEIRS: "mine" }, adopt: "always" });
    expect((await world.stack().up(managed)).failure).toBeUndefined();
  });

  test("fails if another stack adopts the deployment at the same time", async () => {
    const world = await World.start({ dialect });
    const other = await world.deployed();
    const theirs = (await secretsAt(world, other)).find(({ name }) => name === "AGENTSERVER_OWNER")!;
    const stack = world.stack();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- Applied to the client that the spy is called on.
    const { patch } = DeploymentsClient.prototype;
    jest.spyOn(DeploymentsClient.prototype, "patch").mockImplementationOnce(async function (
      this: DeploymentsClient,
      ...given
    ) {
      const patched = await patch.apply(this, given);
      await rotate(world, other, { [theirs.name]: theirs.value });
      return patched;
    });
    world.forget();
    const { failure } = await stack.up(agent({ adopt: "always" }));
    expect(failure!.message).toMatch(
      /The ownership tag of deployment .* was written, but .* is owned by resource/,
    );
  });
});

describe("an operation during which others change the environment", () => {
  const local = (folder: string, more: Partial<DeploymentInputs> = {}) =>
    agent({
      source: "internal_source",
      sourceConfig: { deploymentType: "dev" },
      sourceRevisionConfig: { folder },
      secrets: undefined,
      ...more,
    });

  function source(): string {
    const folder = temporaryFolder();
    writeFile(join(folder, "langgraph.json"), '{"graphs": {"agent": "./graph.mjs:graph"}}');
    writeFile(join(folder, "graph.mjs"), "1");
    return folder;
  }

  /** Calls `work` during the next upload. */
  function duringUpload(work: () => Promise<void>): void {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- Applied to the client that the spy is called on.
    const { offer } = UploadsClient.prototype;
    jest.spyOn(UploadsClient.prototype, "offer").mockImplementationOnce(async function (
      this: UploadsClient,
      ...given
    ) {
      await work();
      return offer.apply(this, given);
    });
  }

  test("keeps a secret that is rotated during an upload", async () => {
    const world = await World.start({ dialect: "langsmith", state: temporaryFolder() });
    const folder = source();
    const inputs = local(folder, { environmentVariables: { MODE: "a" } });
    const stack = await world.deployed(inputs);
    await rotate(world, stack, { ROTATED: "old" });
    await world.clock.advance(60_000);
    await stack.refresh();
    writeFile(join(folder, "graph.mjs"), "2");
    stack.host = world.host();
    duringUpload(() => rotate(world, stack, { ROTATED: "new", ADDED: "1" }));
    expect((await stack.up(inputs)).failure).toBeUndefined();
    expect(await valuesAt(world, stack)).toEqual({ MODE: "a", ROTATED: "new", ADDED: "1" });
  });

  test("sends nothing if another stack adopts the deployment during an upload", async () => {
    const world = await World.start({ dialect: "langsmith", state: temporaryFolder() });
    const folder = source();
    const stack = await world.deployed(local(folder));
    writeFile(join(folder, "graph.mjs"), "2");
    stack.host = world.host();
    duringUpload(async () => {
      const { failure } = await world.stack().up(agent({ ...local(folder), adopt: "always" }));
      expect(failure).toBeUndefined();
      world.forget();
    });
    const { failure } = await stack.up(local(folder));
    expect(failure!.message).toContain("owned by");
    expect(world.writes.filter(({ method }) => method === "PATCH")).toEqual([]);
  });

  test("sends nothing if others push during an upload and onConflict is fail", async () => {
    const world = await World.start({ dialect: "langsmith", state: temporaryFolder() });
    const folder = source();
    const inputs = local(folder, { rollout: { onConflict: "fail" } });
    const stack = await world.deployed(inputs);
    writeFile(join(folder, "graph.mjs"), "2");
    stack.host = world.host();
    duringUpload(() => rotate(world, stack, { THEIRS: "1" }));
    const { failure } = await stack.up(inputs);
    expect(failure!.message).toContain("nothing was changed");
    expect(await valuesAt(world, stack)).toEqual({ THEIRS: "1" });
  });

  test("keeps a secret that is rotated between a lost request and the next attempt", async () => {
    const world = await World.start({ dialect: "interface" });
    const inputs = (mode: string) => agent({ secrets: undefined, environmentVariables: { MODE: mode } });
    const stack = await world.deployed(inputs("a"));
    await rotate(world, stack, { ROTATED: "old" });
    world.admin.fault({
      kind: "reset",
      when: "before",
      method: "PATCH",
      path: "/v2/deployments/:id",
      times: 1,
    });
    const rotated = { isDone: false };
    const clock = world.time;
    jest.spyOn(world, "time", "get").mockReturnValue({
      ...clock,
      sleep: async (ms, signal) => {
        if (!rotated.isDone && ms >= 2_000) {
          rotated.isDone = true;
          await rotate(world, stack, { ROTATED: "new" });
        }
        return clock.sleep(ms, signal);
      },
    });
    stack.host = world.host();
    expect((await stack.up(inputs("b"))).failure).toBeUndefined();
    expect(rotated.isDone).toBe(true);
    expect(await valuesAt(world, stack)).toEqual({ MODE: "b", ROTATED: "new" });
  });
});
