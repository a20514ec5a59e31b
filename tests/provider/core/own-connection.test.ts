import { type ControlPlane, startControlPlane } from "../../../emulator/index";
import { findingText } from "../../../provider/resource/inputs/finding";
import { versatileAgent } from "../../emulator/gateway/agent";
import { deploy } from "../../emulator/gateway/deployment";
import { Repository } from "../../emulator/rollout/repository";
import { AgentWorld } from "../agent-world";
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

const writesTo = ({ admin }: Pick<ControlPlane, "admin">) =>
  admin.journal({ writes: true }).map(({ method }) => method);

describe("a deployment with its own connection", () => {
  test("is created, updated, read, and deleted on that control plane only", async () => {
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

  test("keeps the deployment if only the source of the key changes", async () => {
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

  test("is not moved to the configured control plane, nor back", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const refusal = /is on a different control plane than the configured one/;
    for (const [before, after] of [
      [connectionTo(other), {}],
      [{}, connectionTo(other)],
    ]) {
      const stack = world.stack(keys);
      const name = `agent-${Object.keys(before!).length}`;
      await stack.up(agent({ name, ...before }));
      await expect(stack.preview(agent({ name, ...after }))).rejects.toThrow(refusal);
      await stack.destroy();
    }
    expect([writesTo(world), writesTo(other)]).toEqual([
      ["POST", "DELETE"],
      ["POST", "DELETE"],
    ]);
  });

  test("accepts the name of a deployment on the configured control plane", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const host = world.host(keys);
    const [here, there] = [world.stack(keys), world.stack(keys)];
    here.host = host;
    there.host = host;
    expect(await here.up(agent())).toMatchObject({ step: "create" });
    expect(await there.up(agent(connectionTo(other)))).toMatchObject({ step: "create" });
  });

  test("names the setting of a key that the control plane rejects", async () => {
    const [world, other] = [await World.start(), await startOther()];
    const stack = world.stack({ ...keys, OTHER_KEY: "wrong" });
    const { failure } = await stack.up(agent(connectionTo(other)));
    expect(failure!.message).toContain(
      "Check the key that connection.apiKeyFrom (OTHER_KEY) specifies and connection.tenantId",
    );
    expect(writesTo(other)).toEqual([]);
  });

  test.each([
    ["a missing key", { baseUrl: "https://c.example.com", tenantId: "t", apiKeyFrom: "NO_KEY" }, /NO_KEY/],
    ["no address", { tenantId: "t", apiKeyFrom: "OTHER_KEY" }, /^connection: needs a baseUrl or a region/],
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
  ])("is rejected before any request if there is %s", async (_, connection, message) => {
    const world = await World.start();
    const { failures } = await world.stack(keys).check({ ...agent(), connection });
    expect(failures).toHaveLength(1);
    expect(findingText({ ...failures[0]!, severity: "failure" })).toMatch(message);
    expect(world.admin.journal()).toEqual([]);
  });
});

test("uses the connection of a deployment for the resources in it", async () => {
  const world = await AgentWorld.start();
  const configured = await startOther();
  const env = {
    AGENTSERVER_BASE_URL: configured.baseUrl,
    AGENTSERVER_API_KEY: configured.apiKey,
    AGENTSERVER_TENANT_ID: configured.tenantId,
    THEIR_KEY: world.plane.apiKey,
  };
  const url = await deploy(world.plane, new Repository(versatileAgent()), "there");
  const { connection } = connectionTo(world.plane, "THEIR_KEY");
  const deployment = { id: url.split("/").at(-1)!, url, connection };
  const stack = world.stack("assistant");
  stack.host = world.host("assistant", env);
  const inputs = { deployment, graph: "agent", name: "brief" };
  expect(await stack.up(inputs)).toEqual({ step: "create", checkFailures: [] });
  expect(stack.outputs["controlPlane"]).toMatchObject({
    baseUrl: expect.stringContaining(world.plane.baseUrl),
  });
  expect(await stack.refresh()).toBe(true);
  expect(await stack.up(inputs)).toMatchObject({ step: "same" });
  expect(await stack.up({ ...inputs, name: "long" })).toMatchObject({ step: "update" });
  await stack.destroy();
  expect(configured.admin.journal()).toEqual([]);
  expect(JSON.stringify(stack.outputs)).not.toContain(world.plane.apiKey);
});
