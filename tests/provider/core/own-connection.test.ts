import { unknownValue } from "@pulumi/pulumi/runtime";
import { type ControlPlane, startControlPlane } from "../../../emulator/index";
import { asSecret } from "../../../provider/engine/sentinels";
import { findingText } from "../../../provider/resource/inputs/finding";
import { runDeployment } from "../../emulator/gateway/deployment";
import { Client } from "../../emulator/control-plane/client";
import { AgentWorld } from "../agent-world";
import type { Stack } from "../stack";
import { agent, agentAt, canary, World } from "../world";

const otherKey = `${canary}-other-key`;

const planes: ControlPlane[] = [];

afterEach(async () => {
  for (const plane of planes.splice(0)) await plane.close();
});

/** Starts a control plane that is not the configured one. */
async function startOther(): Promise<ControlPlane> {
  const plane = await startControlPlane({ apiKey: otherKey, tenantId: "tenant-2" });
  plane.admin.steer({ pace: "at once" });
  planes.push(plane);
  return plane;
}

/** Returns the input that selects a control plane, with its key in an environment variable. */
function connectionTo({ baseUrl, tenantId }: ControlPlane, apiKeyFrom = "OTHER_KEY") {
  return { connection: { baseUrl, tenantId, apiKeyFrom } };
}

const keys = { OTHER_KEY: otherKey, ROTATED_KEY: otherKey, AGENTSERVER_OFFLINE: "false" };

/** Returns a function that creates stacks whose providers share a process. */
function stacksOfOneProcess(world: World): () => Stack {
  const host = world.host(keys);
  return () => Object.assign(world.stack(keys), { host });
}

const writesTo = ({ admin }: Pick<ControlPlane, "admin">) =>
  admin.journal({ writes: true }).map(({ method }) => method);

describe("a deployment with its own connection", () => {
  test("is created, updated, read, and deleted only on the control plane of its connection", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = world.stack(keys);
    const connected = connectionTo(other);
    expect(await stack.up(agent(connected))).toEqual({ step: "create", checkFailures: [] });
    expect(stack.outputs["controlPlane"]).toMatchObject({
      baseUrl: expect.stringContaining(other.baseUrl),
      tenantId: "tenant-2",
    });
    expect(await stack.up(agent(connected))).toMatchObject({ step: "same" });
    expect(await stack.up(agentAt("v2", connected))).toMatchObject({ step: "update" });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.up(agentAt("v2", connected))).toMatchObject({ step: "same" });
    await stack.destroy();
    expect(writesTo(other)).toEqual(["POST", "PATCH", "DELETE"]);
    expect(world.admin.journal()).toEqual([]);
    expect(JSON.stringify(stack.outputs)).not.toContain(otherKey);
  });

  test("marks secret fields of its connection as secret in the output that repeats them", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = world.stack(keys);
    stack.call = { secretPaths: ["connection.tenantId"] };
    await stack.up(agent(connectionTo(other)));
    expect(stack.outputs["controlPlane"]).toMatchObject({
      baseUrl: expect.stringContaining(other.baseUrl),
      tenantId: asSecret("tenant-2"),
    });
  });

  test("is kept if only the source of its key changes", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = world.stack(keys);
    await stack.up(agent(connectionTo(other)));
    other.admin.clearJournal();
    const rotated = connectionTo(other, "ROTATED_KEY");
    expect(await stack.up(agent(rotated))).toMatchObject({ step: "update" });
    expect(stack.outputs["connection"]).toEqual(rotated.connection);
    expect(writesTo(other)).toEqual([]);
    expect(await stack.up(agent(rotated))).toMatchObject({ step: "same" });
  });

  test("is not moved to or from the configured control plane", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const refusal = "The resource in state is on a different control plane than the";
    for (const [before, after, selected] of [
      [connectionTo(other), {}, "configured one"],
      [{}, connectionTo(other), "one that its `connection` specifies"],
    ] as const) {
      const stack = world.stack(keys);
      const name = `agent-${Object.keys(before).length}`;
      await stack.up(agent({ name, ...before }));
      await expect(stack.preview(agent({ name, ...after }))).rejects.toThrow(`${refusal} ${selected} (`);
      await stack.destroy();
    }
    expect([writesTo(world), writesTo(other)]).toEqual([
      ["POST", "DELETE"],
      ["POST", "DELETE"],
    ]);
  });

  test("accepts a name that a deployment on the configured control plane also uses", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = stacksOfOneProcess(world);
    const [here, there] = [stack(), stack()];
    expect(await here.up(agent())).toMatchObject({ step: "create" });
    expect(await there.up(agent(connectionTo(other)))).toMatchObject({ step: "create" });
  });

  test("does not conflict with another deployment while one of their connections is unknown", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = stacksOfOneProcess(world);
    const [here, there] = [stack(), stack()];
    expect((await here.check(agent())).failures).toEqual([]);
    expect((await there.check({ ...agent(), connection: unknownValue })).failures).toEqual([]);
    expect((await stack().check(agent())).failures).toMatchObject([
      { reason: expect.stringContaining("name") },
    ]);
    expect([world.admin.journal({ writes: true }), other.admin.journal()]).toEqual([[], []]);
  });

  test("causes an error that names the setting of a key that the control plane rejects", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = world.stack({ ...keys, OTHER_KEY: "wrong" });
    const { failure } = await stack.up(agent(connectionTo(other)));
    expect(failure!.message).toContain(
      "Check the key that connection.apiKeyFrom (OTHER_KEY) specifies and connection.tenantId",
    );
    expect(writesTo(other)).toEqual([]);
  });

  test.each([
    [
      "apiKeyFrom: __proto__",
      { baseUrl: "https://c.example.com", tenantId: "t", apiKeyFrom: "__proto__" },
      /^connection: connection\.apiKeyFrom is __proto__, but neither/,
    ],
    ["a missing key", { baseUrl: "https://c.example.com", tenantId: "t", apiKeyFrom: "NO_KEY" }, /NO_KEY/],
    [
      "no address",
      { tenantId: "t", apiKeyFrom: "OTHER_KEY" },
      /^connection: requires either a baseUrl or a region/,
    ],
    [
      "an invalid address",
      { baseUrl: "c.example.com", tenantId: "t", apiKeyFrom: "OTHER_KEY" },
      /^connection.baseUrl: is not a URL/,
    ],
    ["no workspace", { region: "eu", apiKeyFrom: "OTHER_KEY" }, /^connection.tenantId: is required/],
    [
      "an unknown region",
      { region: "moon", tenantId: "t", apiKeyFrom: "OTHER_KEY" },
      /^connection.region: .*us.*eu/,
    ],
  ])("is rejected before any request is sent (%s)", async (_, connection, message) => {
    const world = await World.start();
    const { failures } = await world.stack(keys).check({ ...agent(), connection });
    expect(failures).toHaveLength(1);
    expect(findingText({ ...failures[0]!, severity: "failure" })).toMatch(message);
    expect(world.admin.journal()).toEqual([]);
  });
});

describe("a resource in a deployment with its own connection", () => {
  /** Starts two control planes with a deployment each, and returns a stack that has the key of the second one. */
  async function start() {
    const world = await AgentWorld.start();
    const there = await runDeployment({ apiKey: otherKey, tenantId: "tenant-2" });
    const stack = world.stack("assistant");
    stack.host = world.host("assistant", { ...world.environment, OTHER_KEY: otherKey });
    const deployed = {
      deployment: { id: there.url.split("/").at(-1)!, url: there.url, ...connectionTo(there.plane) },
    };
    const assistants = async (client: Client) =>
      (await client.post<{ name: string }[]>("/assistants/search", { metadata: { of: "test" } })).body.map(
        ({ name }) => name,
      );
    return {
      world,
      there,
      stack,
      program: (place: object, name = "brief") => ({
        graph: "agent",
        name,
        metadata: { of: "test" },
        ...place,
      }),
      elsewhere: deployed,
      here: () => assistants(new Client(world.url, { "X-Api-Key": world.plane.apiKey })),
      beyond: () => assistants(there.client),
    };
  }

  test("is created, read, updated, and deleted on the control plane of the deployment", async () => {
    const { world, stack, program, elsewhere, here, beyond } = await start();
    world.admin.clearJournal();
    expect(await stack.up(program(elsewhere))).toEqual({ step: "create", checkFailures: [] });
    expect(stack.outputs["controlPlane"]).toMatchObject({ tenantId: "tenant-2" });
    expect(await stack.refresh()).toBe(true);
    expect(await stack.up(program(elsewhere))).toMatchObject({ step: "same" });
    expect(await stack.up(program(elsewhere, "long"))).toMatchObject({ step: "update" });
    expect(await beyond()).toEqual(["long"]);
    await stack.destroy();
    expect(await beyond()).toEqual([]);
    expect(world.admin.journal()).toEqual([]);
    expect(await here()).toEqual([]);
    expect(JSON.stringify(stack.outputs)).not.toContain(otherKey);
  });

  test("follows the deployment to another control plane and back", async () => {
    const { world, stack, program, elsewhere, here, beyond } = await start();
    expect(await stack.up(program(world.deployment))).toMatchObject({ step: "create" });
    expect(await here()).toEqual(["brief"]);
    expect(await stack.up(program(elsewhere))).toEqual({ step: "replace", checkFailures: [] });
    expect([await here(), await beyond()]).toEqual([[], ["brief"]]);
    expect(await stack.up(program(elsewhere))).toMatchObject({ step: "same" });
    expect(await stack.up(program(world.deployment))).toEqual({ step: "replace", checkFailures: [] });
    expect([await here(), await beyond()]).toEqual([["brief"], []]);
  });

  test("does not follow the deployment if its old control plane is no longer configured", async () => {
    const { world, stack, program, elsewhere, here, beyond } = await start();
    const [configured] = [await startOther()];
    await stack.up(program(world.deployment));
    stack.host = world.host("assistant", {
      AGENTSERVER_BASE_URL: configured.baseUrl,
      AGENTSERVER_API_KEY: otherKey,
      AGENTSERVER_TENANT_ID: "tenant-2",
      OTHER_KEY: otherKey,
    });
    await expect(stack.preview(program(elsewhere))).rejects.toThrow(
      "is on a different control plane than the",
    );
    expect([await here(), await beyond()]).toEqual([["brief"], []]);
  });

  test("does not follow the deployment if only the configuration selects another control plane", async () => {
    const { world, there, stack, program, here, beyond } = await start();
    await stack.up(program(world.deployment));
    stack.host = world.host("assistant", {
      AGENTSERVER_BASE_URL: there.plane.baseUrl,
      AGENTSERVER_API_KEY: otherKey,
      AGENTSERVER_TENANT_ID: "tenant-2",
    });
    const { id } = stack;
    const next = program({ deployment: { id: there.url.split("/").at(-1)!, url: there.url } });
    await expect(stack.preview(next)).rejects.toThrow(
      "is on a different control plane than the configured one",
    );
    expect(stack.id).toBe(id);
    expect([await here(), await beyond()]).toEqual([["brief"], []]);
  });
});
