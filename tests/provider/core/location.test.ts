import { randomUUID } from "node:crypto";
import { unknownValue } from "@pulumi/pulumi/runtime";
import { type ControlPlane, startControlPlane } from "../../../emulator/index";
import { versatileAgent } from "../../emulator/gateway/agent";
import { deploy } from "../../emulator/gateway/deployment";
import { Repository } from "../../emulator/rollout/repository";
import { AgentWorld } from "../agent-world";
import { everyKill, killedAt } from "../killed";
import { Stack } from "../stack";

let world: AgentWorld;
let other: ControlPlane;
const repository = new Repository(versatileAgent());
let there: { deployment: { id: string; url: string } };
beforeAll(async () => {
  world = await AgentWorld.start();
  other = await startControlPlane({ apiKey: world.plane.apiKey, tenantId: world.plane.tenantId });
  const url = await deploy(world.plane, repository, "agent2");
  there = { deployment: { id: url.split("/").at(-1)!, url } };
});
afterAll(() => other.close());
beforeEach(() => world.forget());

type Name = Parameters<AgentWorld["stack"]>[0];

/** Kinds of resources within a deployment, with inputs and the path of an object. */
const contents: [Name, object, (stack: Stack) => string][] = [
  ["assistant", { graph: "agent" }, ({ id }) => `/assistants/${id}`],
  ["thread", { metadata: { purpose: "inbox" } }, ({ id }) => `/threads/${id}`],
  [
    "cron",
    { assistant: "agent", schedule: "0 9 * * *", input: { messages: [] } },
    ({ id }) => `/runs/crons/${id}`,
  ],
  [
    "storeItem",
    { namespace: ["moved"], key: "k", value: { a: 1 } },
    () => "/store/items?namespace=moved&key=k",
  ],
  ["storeItems", { namespace: ["many"], items: { x: { a: 1 } } }, () => "/store/items?namespace=many&key=x"],
];

async function exists(url: string, path: string): Promise<boolean> {
  const response = await fetch(url + path, { headers: { "x-api-key": world.plane.apiKey } });
  return response.ok && (await response.text()) !== "null";
}

describe.each(contents)("a resource in a deployment (%s)", (kind, inputs, pathOf) => {
  test.each([
    ["control plane", () => ({ AGENTSERVER_BASE_URL: other.baseUrl })],
    ["workspace", () => ({ AGENTSERVER_TENANT_ID: "tenant-2" })],
  ])("is not read, changed, or deleted if a different %s is configured", async (_what, change) => {
    const stack = world.stack(kind);
    const wanted = { ...world.deployment, ...inputs };
    expect(await stack.up(wanted)).toMatchObject({ step: "create" });
    stack.host = world.host(kind, {
      AGENTSERVER_BASE_URL: world.plane.baseUrl,
      AGENTSERVER_API_KEY: world.plane.apiKey,
      AGENTSERVER_TENANT_ID: world.plane.tenantId,
      ...change(),
    });
    world.forget();
    const refusal = /is on a different control plane than the configured one/;
    await expect(stack.refresh()).rejects.toThrow(refusal);
    await expect(stack.preview(wanted)).rejects.toThrow(refusal);
    const { inputs: news } = await stack.check(wanted);
    await expect(stack.host.update(stack.id!, stack.outputs, news)).rejects.toThrow(refusal);
    await expect(stack.destroy()).rejects.toThrow(refusal);
    expect(world.writes()).toEqual([]);
    stack.host = world.host(kind);
    await stack.destroy();
    expect(await exists(world.url, pathOf(stack))).toBe(false);
  });

  test("stores the new address of its control plane if the program allows the move", async () => {
    const stack = world.stack(kind);
    const wanted = { ...world.deployment, ...inputs };
    await stack.up(wanted);
    const env = {
      AGENTSERVER_BASE_URL: world.plane.baseUrl.replace("127.0.0.1", "localhost"),
      AGENTSERVER_API_KEY: world.plane.apiKey,
      AGENTSERVER_TENANT_ID: world.plane.tenantId,
    };
    stack.host = world.host(kind, env, { "agentserver:allowMove": "true" });
    world.forget();
    expect(await stack.up(wanted)).toMatchObject({ step: "update" });
    expect(stack.outputs["controlPlane"]).toMatchObject({ baseUrl: expect.stringContaining("localhost") });
    expect(await stack.up(wanted)).toMatchObject({ step: "same" });
    expect(world.writes()).toEqual([]);
    await stack.destroy();
  });

  test("moves to another deployment", async () => {
    const stack = world.stack(kind);
    await stack.up({ ...world.deployment, ...inputs });
    const before = pathOf(stack);
    expect(await stack.up({ ...there, ...inputs })).toMatchObject({ step: "replace" });
    expect(await exists(world.url, before)).toBe(false);
    expect(await exists(there.deployment.url, pathOf(stack))).toBe(true);
    const after = pathOf(stack);
    await stack.destroy();
    expect(await exists(there.deployment.url, after)).toBe(false);
  });

  test("is recreated in a replaced deployment", async () => {
    const stack = world.stack(kind);
    await stack.up({ ...world.deployment, ...inputs });
    const preview = await stack.preview({ deployment: { id: unknownValue, url: unknownValue }, ...inputs });
    expect(preview).toMatchObject({ changes: true, replaces: ["deployment"] });
    expect(await stack.up({ ...there, ...inputs })).toMatchObject({ step: "replace" });
    expect(await exists(there.deployment.url, pathOf(stack))).toBe(true);
    await stack.destroy();
  });
});

test("treats a resource as deleted if a refresh or destroy finds its deployment deleted", async () => {
  const url = await deploy(world.plane, repository, "short-lived");
  const deployment = { id: url.split("/").at(-1)!, url };
  const commands = ["refresh", "destroy"] as const;
  const stacks = contents.flatMap(([kind, inputs]) =>
    commands.map((command) => {
      const namespace = "namespace" in inputs && { namespace: ["short-lived", kind, command] };
      return { command, stack: world.stack(kind), wanted: { deployment, ...inputs, ...namespace } };
    }),
  );
  for (const { stack, wanted } of stacks) {
    expect(await stack.up(wanted)).toMatchObject({ step: "create" });
    // The refresh makes the process read the address of the deployment.
    await stack.refresh();
  }
  const { baseUrl, apiKey, tenantId } = world.plane;
  const headers = { "X-Api-Key": apiKey, "X-Tenant-Id": tenantId };
  await fetch(`${baseUrl}/v2/deployments/${deployment.id}`, { method: "DELETE", headers });
  for (const { command, stack } of stacks) {
    await stack[command]();
    // A set whose items cannot be found is an empty set.
    expect(stack.id === undefined).toBe(!(stack.urn.includes("StoreItems") && command === "refresh"));
  }
});

describe.each(contents.slice(0, 2))("the ID of a resource (%s)", (kind, inputs) => {
  const type = `pulumi-nodejs:dynamic/agentserver:${kind[0]!.toUpperCase()}${kind.slice(1)}`;
  const urn = (project: string, types: string, name: string) =>
    `urn:pulumi:dev::${project}::${types}${type}::${name}`;

  /** Returns the stack after the URN of its resource has changed. */
  const renamed = (stack: Stack, urn: string): Stack => {
    const { id, inputs, outputs } = stack;
    return Object.assign(new Stack(world, world.host(kind), urn), { id, inputs, outputs });
  };

  test.each([
    ["an alias", (name: string) => urn("shop", "", `new-${name}`)],
    ["a parent", (name: string) => urn("shop", "agentserver:index:AgentService$", name)],
    ["a renamed project", (name: string) => urn("store", "", name)],
  ])("stays the same with %s", async (_what, newUrn) => {
    const name = randomUUID();
    const stack = new Stack(world, world.host(kind), urn("shop", "", name));
    const wanted = { ...world.deployment, ...inputs };
    await stack.up(wanted);
    const { id } = stack;
    const moved = renamed(stack, newUrn(name));
    expect(await moved.up(wanted)).toMatchObject({ step: "update" });
    expect(world.log.kept).toBe("was renamed, so its ownership tag is updated [renamed]");
    expect(moved.id).toBe(id);
    expect(await moved.up(wanted)).toMatchObject({ step: "same" });
    await moved.refresh();
    expect(await moved.up({ ...wanted, metadata: { changed: true } })).toMatchObject({ step: "update" });
    expect(await moved.up({ ...there, ...inputs })).toMatchObject({ step: "replace" });
    expect(moved.id).toBe(id);
    await moved.destroy();
  });
});

describe.each(contents)(
  "a new resource under the previous name of a renamed one (%s)",
  (kind, inputs, pathOf) => {
    const wanted = () => ({ ...world.deployment, ...inputs });

    /** Returns a later run in which a resource has a new URN and another resource uses its previous name. */
    async function renamedResource() {
      const name = randomUUID();
      const first = world.stack(kind, name);
      await first.up(wanted());
      const { id, inputs: known, outputs } = first;
      const host = world.host(kind);
      const renamed = world.stack(kind, `renamed-${name}`);
      Object.assign(renamed, { id, inputs: known, outputs, host });
      return { renamed, newcomer: Object.assign(world.stack(kind, name), { host }), name };
    }

    test("does not change the renamed resource, regardless of the order of the two creates", async () => {
      const { renamed, newcomer, name } = await renamedResource();
      expect(await renamed.up(wanted())).toMatchObject({ step: "update" });
      expect(await renamed.up(wanted())).toMatchObject({ step: "same" });
      // A process that has not checked the renamed resource, as with `--target`.
      newcomer.host = world.host(kind);
      const { step, failure } = await newcomer.up(wanted());
      if (kind === "cron") {
        expect(step).toBe("create");
        expect(newcomer.id).not.toBe(renamed.id);
        await newcomer.destroy();
      } else {
        expect(step).toBe("refused");
        expect(failure!.message).toContain(
          kind.startsWith("storeItem") ? "were not written by this resource" : `dev:renamed-${name}`,
        );
      }
      expect(await renamed.refresh()).toBe(true);
      await renamed.destroy();
      expect(await exists(world.url, pathOf(renamed))).toBe(false);
    });

    test("is kept if the renamed resource is removed from the program in the same run", async () => {
      const { renamed, newcomer } = await renamedResource();
      await renamed.up(wanted());
      newcomer.host = renamed.host = world.host(kind);
      const { step } = await newcomer.up({ ...wanted(), adopt: "always" });
      expect(step).toBe("create");
      await renamed.destroy();
      expect(await exists(world.url, pathOf(newcomer))).toBe(true);
      await newcomer.destroy();
      expect(await exists(world.url, pathOf(newcomer))).toBe(false);
    });

    test("is kept if the renamed resource was previously renamed only in the state", async () => {
      const { renamed, newcomer } = await renamedResource();
      expect(await newcomer.up(wanted())).toMatchObject({ step: "create" });
      await renamed.destroy();
      expect(await exists(world.url, pathOf(newcomer))).toBe(true);
      newcomer.host = world.host(kind);
      await newcomer.destroy();
      expect(await exists(world.url, pathOf(newcomer))).toBe(false);
    });

    test.each(everyKill(4))(
      "is recognized as a different resource after the rename is killed at %j",
      async (kill) => {
        const { renamed, newcomer } = await renamedResource();
        await killedAt(kill, () => renamed.up(wanted()));
        renamed.host = world.host(kind);
        expect(["update", "same"]).toContain((await renamed.up(wanted())).step);
        newcomer.host = world.host(kind);
        const { step } = await newcomer.up(wanted());
        expect(step).toBe(kind === "cron" ? "create" : "refused");
        if (kind === "cron") await newcomer.destroy();
        expect(await exists(world.url, pathOf(renamed))).toBe(true);
        await renamed.destroy();
        expect(await exists(world.url, pathOf(renamed))).toBe(false);
      },
    );
  },
);

describe.each(contents)(
  "a resource that the engine replaces without a comparison (%s)",
  (kind, inputs, pathOf) => {
    test("is kept, because its replacement is the same object", async () => {
      const stack = world.stack(kind);
      const wanted = { ...world.deployment, ...inputs };
      await stack.up(wanted);
      const [id, outputs] = [stack.id!, stack.outputs];
      // A later run with `pulumi up --replace`: the inputs are checked twice, and `diff` is not called.
      stack.host = world.host(kind);
      await stack.check(wanted);
      stack.lose();
      expect(await stack.up(wanted)).toMatchObject({ step: "create" });
      expect(stack.id).toBe(id);
      await stack.host.delete(id, outputs);
      expect(await exists(world.url, pathOf(stack))).toBe(true);
      // A later run, which destroys it.
      stack.host = world.host(kind);
      await stack.destroy();
      expect(await exists(world.url, pathOf(stack))).toBe(false);
    });
  },
);
