import type { ServerLimits } from "../../server-limits";
import { agent, agentAt, canary, World } from "../../world";

/**
 * Returns a stack whose deployment is on another control plane, and a control plane that does not have the deployment.
 */
async function moved() {
  const from = await World.start();
  const to = await World.start();
  const stack = await from.deployed();
  const host = (settings: Record<string, string> = {}) => {
    const host = to.host();
    void host.configure({
      config: { get: (key: string) => settings[key], require: (key: string) => settings[key]! },
    });
    return host;
  };
  stack.host = host();
  return { from, to, stack, host };
}

test("rejects a different control plane in every operation, names both, and sends nothing", async () => {
  const { from, to, stack } = await moved();
  const text = new RegExp(
    `address ${from.plane.baseUrl}/api-host, now ${to.plane.baseUrl}/api-host.*agentserver:allowMove true`,
  );
  await expect(stack.preview(agent())).rejects.toThrow(text);
  await expect(stack.host.update(stack.deploymentId, stack.outputs, stack.inputs)).rejects.toThrow(text);
  await expect(stack.refresh()).rejects.toThrow(text);
  await expect(stack.destroy()).rejects.toThrow(text);
  expect(to.admin.journal()).toEqual([]);
});

test("treats a different workspace as a different control plane", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  stack.host = world.host({ AGENTSERVER_TENANT_ID: "tenant-2" });
  await expect(stack.refresh()).rejects.toThrow("workspace tenant-1, now tenant-2");
});

test("stores the new address with allowMove, without writing", async () => {
  const world = await World.start();
  const stack = await world.deployed();
  stack.outputs = {
    ...stack.outputs,
    controlPlane: { ...stack.state.controlPlane, baseUrl: "https://old.example.com/api-host" },
  };
  const { apiKey, tenantId } = world.plane;
  const settings: Record<string, string> = {
    "agentserver:baseUrl": world.plane.baseUrl,
    "agentserver:apiKey": apiKey,
    "agentserver:tenantId": tenantId,
    "agentserver:allowMove": "true",
  };
  await stack.host.configure({ config: { get: (key) => settings[key], require: (key) => settings[key]! } });
  expect((await stack.preview(agent())).changes).toBe(true);
  expect(world.log.kept).toContain("stores the control plane's new address");
  await stack.up(agent());
  expect(world.admin.journal({ writes: true })).toEqual([]);
  expect((await stack.preview(agent())).changes).toBe(false);
  expect(stack.state.controlPlane.baseUrl).toBe(`${world.plane.baseUrl}/api-host`);
});

describe("a deployment whose workspace is determined by the API key", () => {
  const organizations = ["one", "two"].map((name) => ({
    name,
    apiKeys: [`${canary}-${name}`],
    tenants: [`tenant-${name}`],
  }));
  const settings = { AGENTSERVER_TENANT_ID: "", AGENTSERVER_DIALECT: "langsmith" };

  async function start(limits?: ServerLimits) {
    const own = { apiKey: undefined, tenantId: undefined };
    const world = await World.start({ dialect: "langsmith", organizations, ...own }, limits);
    const of = (name: string) => world.host({ ...settings, AGENTSERVER_API_KEY: `${canary}-${name}` });
    const stack = Object.assign(world.stack(), { host: of("one") });
    expect((await stack.up(agent())).failure).toBeUndefined();
    return { world, stack, of };
  }

  test("stores the workspace that the server reports, and changes nothing else", async () => {
    const { stack } = await start();
    expect(stack.state.controlPlane.tenantId).toBe("tenant-one");
    expect((await stack.up(agent())).step).toBe("same");
    expect(await stack.refresh()).toBe(true);
    expect((await stack.up(agent())).step).toBe("same");
  });

  test("is not treated as deleted if the key belongs to another workspace", async () => {
    const { stack, of } = await start();
    stack.host = of("two");
    const shown = /of workspace tenant-one was not found with this API key.*agentserver:tenantId/;
    await expect(stack.refresh()).rejects.toThrow(shown);
    await expect(stack.destroy()).rejects.toThrow(shown);
    expect((await stack.up(agentAt("v2"))).failure!.message).toMatch(shown);
    stack.host = of("one");
    expect(await stack.refresh()).toBe(true);
    await stack.destroy();
  });

  describe("on a server that reports no workspace", () => {
    const shown = /neither the server nor the configuration specifies the workspace.*agentserver:tenantId/;

    test("is not treated as deleted if it cannot be found with a key from another workspace", async () => {
      const { world, stack, of } = await start({ hides: ["tenant_id"] });
      expect(stack.state.controlPlane.tenantId).toBe("");
      stack.host = of("two");
      await expect(stack.refresh()).rejects.toThrow(shown);
      await expect(stack.destroy()).rejects.toThrow(shown);
      expect((await stack.up(agentAt("v2"))).failure!.message).toMatch(shown);
      stack.host = of("one");
      expect(await stack.refresh()).toBe(true);
      expect((await stack.up(agentAt("v2"))).step).toBe("update");
      expect(await world.record(stack)).toBeDefined();
    });

    test("is treated as deleted once the configuration specifies the workspace", async () => {
      const { world, stack } = await start({ hides: ["tenant_id"] });
      await world.request("DELETE", `/v2/deployments/${stack.deploymentId}`);
      await expect(stack.refresh()).rejects.toThrow(shown);
      stack.host = world.host({
        ...settings,
        AGENTSERVER_API_KEY: `${canary}-one`,
        AGENTSERVER_TENANT_ID: "tenant-one",
      });
      expect(await stack.refresh()).toBe(false);
    });
  });
});
