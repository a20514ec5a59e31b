import { unknownValue } from "@pulumi/pulumi/runtime";
import { AgentWorld } from "../../agent-world";
import { Stack } from "../../stack";
import { canary } from "../../world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const item = (where: object) => ({ ...where, namespace: ["notes"], key: "one", value: { text: "kept" } });

const reasons = ({ checkFailures }: { checkFailures: { reason: string }[] }) =>
  checkFailures.map(({ reason }) => reason);

describe("a resource on a server without a deployment", () => {
  const connection = (more: object = {}) => item({ connection: { url: world.url, ...more } });

  test.each<[string, NodeJS.ProcessEnv, Record<string, string>]>([
    ["an environment variable", { SUPPORT_KEY: `${canary}-key` }, {}],
    ["a configuration key", {}, { SUPPORT_KEY: `${canary}-key` }],
  ])(
    "reads the server's key from %s, and sends no requests to a control plane",
    async (_where, env, config) => {
      const stack = world.stack("storeItem");
      stack.host = world.host("storeItem", env, config);
      expect(await stack.up(connection({ apiKeyFrom: "SUPPORT_KEY" }))).toEqual({
        step: "create",
        checkFailures: [],
      });
      expect(JSON.stringify([stack.inputs, stack.outputs])).not.toContain(canary);
      await stack.refresh();
      await stack.destroy();
      // The item, and the record of what the resource has written.
      expect(world.writes()).toEqual([
        "PUT /store/items",
        "PUT /store/items",
        "DELETE /store/items",
        "DELETE /store/items",
      ]);
    },
  );

  test("sends no requests in a preview of a manifest until an update has used the server's URL", async () => {
    const urn =
      "urn:pulumi:dev::shop::agentserver:index:Workspace$pulumi-nodejs:dynamic/agentserver:Assistant::a";
    const stack = new Stack(world, world.host("assistant", { SUPPORT_KEY: `${canary}-key` }), urn);
    const assistant = (url: string, graph: string) => ({
      connection: { url, apiKeyFrom: "SUPPORT_KEY" },
      graph,
    });
    const requests = async (url: string, graph: string) => {
      world.admin.clearJournal();
      expect((await stack.check(assistant(url, graph))).failures).toEqual([]);
      return world.admin.journal({ agents: true }).length;
    };
    expect(await requests(world.url, "agent")).toBe(0);
    await stack.up(assistant(world.url, "agent"));
    expect(await requests(world.url, "other")).toBeGreaterThan(0);
    expect(await requests(world.url.replace("127.0.0.1", "localhost"), "another")).toBe(0);
    await stack.destroy();
  });

  test("fails before the first request if the key is missing, and explains how to set it", async () => {
    const stack = world.stack("storeItem");
    stack.host = world.host("storeItem", {});
    expect(reasons(await stack.up(connection({ apiKeyFrom: "SUPPORT_KEY" })))).toEqual([
      expect.stringMatching(
        /^connection\.apiKeyFrom: connection\.apiKeyFrom is SUPPORT_KEY, but neither .*pulumi config set --secret agentserver:SUPPORT_KEY/,
      ),
    ]);
    expect(world.admin.journal({ agents: true })).toEqual([]);
  });

  test("sends no key over an unencrypted connection to another host", async () => {
    const stack = world.stack("storeItem");
    stack.host = world.host("storeItem", { SUPPORT_KEY: `${canary}-key`, AGENTSERVER_OFFLINE: "true" });
    const elsewhere = item({ connection: { url: "http://agents.example.com", apiKeyFrom: "SUPPORT_KEY" } });
    const { failure } = await stack.up(elsewhere);
    expect(failure!.message).toContain(
      "No credential is sent to the agent server's address http://agents.example.com",
    );
  });

  test("is replaced, after the old one is deleted, if the server's address changes", async () => {
    const stack = world.stack("storeItem");
    stack.host = world.host("storeItem", { SUPPORT_KEY: `${canary}-key` });
    await stack.up(connection({ apiKeyFrom: "SUPPORT_KEY" }));
    const other = item({
      connection: { url: world.url.replace("127.0.0.1", "localhost"), apiKeyFrom: "SUPPORT_KEY" },
    });
    expect(await stack.preview(other)).toMatchObject({ replaces: ["connection"], deleteBeforeReplace: true });
    await stack.destroy();
  });
});

describe("a resource in a deployment", () => {
  test("sends no request while the deployment is unknown, and accepts a new address", async () => {
    const { id, url } = world.deployment.deployment;
    const stack = world.stack("storeItem");
    await stack.check(item({ deployment: { id: unknownValue, url: unknownValue } }));
    expect(world.admin.journal({ agents: true })).toEqual([]);
    await stack.up(item({ deployment: { id, url } }));
    expect(await stack.preview(item({ deployment: { id, url: unknownValue } }))).toMatchObject({
      changes: false,
    });
    const moved = item({ deployment: { id, url: url.replace("127.0.0.1", "localhost") } });
    world.forget();
    expect(await stack.up(moved)).toMatchObject({ step: "update" });
    expect(stack.outputs["deployment"]).toMatchObject({ url: expect.stringContaining("localhost") });
    await stack.destroy();
  });

  test("is replaced together with its deployment", async () => {
    const stack = world.stack("storeItem");
    await stack.up(item(world.deployment));
    const wanted = item({ deployment: { id: unknownValue, url: unknownValue } });
    expect(await stack.preview(wanted)).toMatchObject({ changes: true, replaces: ["deployment"] });
    await stack.destroy();
  });

  test("fails with advice if the deployment has no address", async () => {
    const { failure } = await world
      .stack("storeItem")
      .up(item({ deployment: { id: "6b1c3d4e-0000-4000-8000-000000000001" } }));
    expect(failure!.message).toContain("The deployment has no address yet.");
  });

  test("finds the deployment at its new address", async () => {
    const stack = world.stack("storeItem");
    await stack.up(item(world.deployment));
    const { id } = world.deployment.deployment;
    stack.outputs = { ...stack.outputs, deployment: { id, url: "http://127.0.0.1:9/agents/old" } };
    stack.host = world.host("storeItem");
    expect(await stack.refresh()).toBe(true);
    await stack.destroy();
    // The item, and the record of what the resource has written.
    expect(world.writes()).toEqual([
      "PUT /store/items",
      "PUT /store/items",
      "DELETE /store/items",
      "DELETE /store/items",
    ]);
  });

  test("is treated as deleted if its deployment is deleted", async () => {
    const stack = world.stack("storeItem");
    await stack.up(item(world.deployment));
    const gone = { id: "6b1c3d4e-0000-4000-8000-000000000001", url: world.url };
    stack.outputs = { ...stack.outputs, deployment: gone };
    stack.host = world.host("storeItem");
    world.forget();
    const { id, outputs } = stack;
    expect(await stack.refresh()).toBe(false);
    Object.assign(stack, { id, outputs });
    await stack.destroy();
    expect(world.writes()).toEqual([]);
  });
});

test("requires either a deployment or a connection, not both", async () => {
  const both = item({ ...world.deployment, connection: { url: world.url } });
  expect(reasons(await world.stack("storeItem").up(both))).toEqual([
    "connection: cannot be combined with deployment",
  ]);
});
