import { randomUUID } from "node:crypto";
import { AgentWorld } from "../agent-world";
import { killedAt } from "../killed";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const brief = (change: object = {}) => ({
  ...world.deployment,
  graph: "agent",
  name: "Brief",
  context: { style: "brief" },
  ...change,
});

const assistantPath = (id: string) => `/assistants/${id}`;

interface Assistant {
  name: string;
  version: number;
  context: Record<string, unknown>;
  metadata: Record<string, unknown>;
  description?: string | null;
  config: Record<string, unknown>;
}

const assistant = (id: string) => world.ask<Assistant>("GET", assistantPath(id));

test("derives the same ID in every stack of a project, and a different ID in another project", async () => {
  const ids = ["dev", "prod"].map(async (name) => {
    const { inputs } = await world.stack("assistant", "brief", name).check(brief());
    return inputs["assistantId"];
  });
  const [dev, prod] = await Promise.all(ids);
  expect(dev).toBe(prod);
  expect(dev).toMatch(/^[0-9a-f-]{36}$/);
  const { inputs } = await world.stack("assistant", "other").check(brief());
  expect(inputs["assistantId"]).not.toBe(dev);
});

test("creates an assistant with one request, and adds one version with each update", async () => {
  const stack = world.stack("assistant");
  expect(await stack.up(brief())).toEqual({ step: "create", checkFailures: [] });
  expect(world.writes()).toEqual(["POST /assistants"]);
  expect(stack.outputs["version"]).toBe(1);
  expect(await stack.up(brief({ context: { style: "long" } }))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(["PATCH /assistants/ID"]);
  expect(stack.outputs["version"]).toBe(2);
  expect(await stack.up(brief({ context: { style: "long" } }))).toMatchObject({ step: "same" });
  expect(await assistant(stack.id!)).toMatchObject({ name: "Brief", context: { style: "long" } });
});

test("keeps omitted fields, and clears fields with null", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ description: "For the impatient.", metadata: { team: "sales", tier: "gold" } }));
  await stack.up(brief({ name: undefined, metadata: { team: "support" } }));
  const { name, metadata, description } = await assistant(stack.id!);
  expect([name, description]).toEqual(["Brief", "For the impatient."]);
  expect(metadata).toMatchObject({ team: "support" });
  expect(metadata["tier"] ?? null).toBeNull();
  await stack.up(brief({ description: null }));
  expect((await assistant(stack.id!)).description || null).toBeNull();
  await stack.refresh();
  expect(await stack.up(brief({ description: null }))).toMatchObject({ step: "same" });
});

test("stops managing a cleared entry of config that is omitted", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ config: { tags: ["a"], recursionLimit: 5 } }));
  await stack.up(brief({ config: { tags: null, recursionLimit: 5 } }));
  const { version, config } = await assistant(stack.id!);
  expect(config).not.toHaveProperty("tags");
  await stack.up(brief({ config: { recursionLimit: 5 } }));
  expect(await assistant(stack.id!)).toMatchObject({ version });
  expect(await stack.up(brief({ config: { recursionLimit: 5 } }))).toMatchObject({ step: "same" });
  await world.ask("PATCH", assistantPath(stack.id!), { config: { tags: ["theirs"], recursion_limit: 5 } });
  await stack.up(brief({ config: { recursionLimit: 6 } }));
  expect((await assistant(stack.id!)).config).toMatchObject({ tags: ["theirs"], recursion_limit: 6 });
});

test("keeps the other entries of config if only the context changes", async () => {
  const stack = world.stack("assistant");
  const config = { tags: ["a"], recursionLimit: 5 };
  await stack.up(brief({ config }));
  await stack.up(brief({ config, context: { style: "long" } }));
  expect(await assistant(stack.id!)).toMatchObject({
    config: { tags: ["a"], recursion_limit: 5 },
    context: { style: "long" },
  });
  await stack.refresh();
  expect(await stack.up(brief({ config, context: { style: "long" } }))).toMatchObject({ step: "same" });
});

test("removes a cleared context from config.configurable, too", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ config: { tags: ["a"] } }));
  await stack.up(brief({ config: { tags: ["a"] }, context: null }));
  const { config, context } = await assistant(stack.id!);
  expect([config, context]).toEqual([{ tags: ["a"] }, {}]);
});

test.each([
  { config: { tags: ["a"] } },
  { config: { tags: ["a"], configurable: null } },
  { config: { tags: ["a"], configurable: {} } },
  { config: null },
])("removes config.configurable from the context, too (%j)", async (change) => {
  const stack = world.stack("assistant");
  const context = undefined;
  await stack.up(brief({ config: { tags: ["a"], configurable: { model: "x" } }, context }));
  expect((await assistant(stack.id!)).context).toEqual({ model: "x" });
  await stack.up(brief({ ...change, context }));
  const stored = await assistant(stack.id!);
  expect(stored.config["configurable"] ?? {}).toEqual({});
  expect(stored.context).toEqual({});
});

test.each([{ config: { tags: ["b"] } }, { config: null }])(
  "keeps a context that others have set if config changes (%j)",
  async (change) => {
    const stack = world.stack("assistant");
    const context = undefined;
    await stack.up(brief({ config: { tags: ["a"] }, context }));
    await world.ask("PATCH", assistantPath(stack.id!), { context: { theirs: 1 }, config: { tags: ["a"] } });
    await stack.up(brief({ ...change, context }));
    expect((await assistant(stack.id!)).context).toEqual({ theirs: 1 });
  },
);

test("removes a null entry of config.configurable that the program no longer declares", async () => {
  const stack = world.stack("assistant");
  const context = undefined;
  await stack.up(brief({ config: { configurable: { model: null, a: 1 } }, context }));
  await stack.up(brief({ config: { configurable: { a: 1 } }, context }));
  expect((await assistant(stack.id!)).config).toMatchObject({ configurable: { a: 1 } });
  expect((await assistant(stack.id!)).config["configurable"]).not.toHaveProperty("model");
});

test("sends nothing if the program omits a metadata entry that is already cleared", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ metadata: { a: 1, b: null } }));
  world.forget();
  expect(await stack.up(brief({ metadata: { a: 1 } }))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual([]);
  expect(world.log.lines("info")).toEqual([
    "stored in state (no request is sent): metadata.b null → none [state]",
  ]);
});

test("defers other changes to an assistant until its version is no longer pinned", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await stack.up(brief({ context: { style: "long" } }));
  world.forget();
  expect(await stack.up(brief({ context: { style: "new" }, pinVersion: 1 }))).toMatchObject({
    step: "update",
  });
  expect(world.writes()).toEqual(["POST /assistants/ID/latest"]);
  expect(await assistant(stack.id!)).toMatchObject({ version: 1, context: { style: "brief" } });
  await stack.refresh();
  expect(await stack.up(brief({ context: { style: "new" }, pinVersion: 1 }))).toMatchObject({ step: "same" });
  expect(await stack.up(brief({ context: { style: "new" } }))).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ version: 3, context: { style: "new" } });
});

test("creates a version with all declared values when a version is no longer pinned", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await stack.up(brief({ context: { style: "long" }, config: { tags: ["a"] }, description: "long" }));
  const pinned = brief({ context: { style: "brief" }, config: { tags: ["a"] } });
  await stack.up({ ...pinned, pinVersion: 1 });
  world.forget();
  expect(await stack.up(pinned)).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(["PATCH /assistants/ID"]);
  expect(await assistant(stack.id!)).toMatchObject({
    version: 3,
    config: { tags: ["a"] },
    context: { style: "brief" },
  });
  // The version that was pinned had no tags, but others have not removed them.
  expect(world.log.kept).not.toContain("outside this program");
  expect(await stack.up(pinned)).toMatchObject({ step: "same" });
});

test("creates the version again if the first attempt to stop pinning fails", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await stack.up(brief({ pinVersion: 1 }));
  const patch = { method: "PATCH", path: "/agents/:id/assistants/:assistant" } as const;
  world.admin.fault({ kind: "status", status: 400, ...patch });
  expect((await stack.up(brief())).failure).toBeDefined();
  expect(stack.outputs["pinVersion"]).toBe(1);
  expect(await stack.up(brief())).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ version: 2 });
  expect(await stack.up(brief())).toMatchObject({ step: "same" });
});

test("is up to date if config.configurable and a cleared context are declared together", async () => {
  const stack = world.stack("assistant");
  const both = brief({ config: { configurable: { model: "x" } }, context: null });
  await stack.up(brief());
  await stack.up(both);
  expect((await assistant(stack.id!)).config).toMatchObject({ configurable: { model: "x" } });
  await stack.refresh();
  expect(await stack.up(both)).toMatchObject({ step: "same" });
});

test("does not report an external change if the context gets the same values by its other name", async () => {
  const stack = world.stack("assistant");
  const configurable = { config: { configurable: { style: "brief" } }, context: undefined };
  const context = { context: { style: "brief", length: 5 } };
  await stack.up(brief(configurable));
  world.forget();
  await stack.up(brief(context));
  expect(await assistant(stack.id!)).toMatchObject(context);
  await stack.up(brief(configurable));
  await stack.up(brief({ context: { style: "brief" } }));
  expect(world.log.kept).not.toContain("outside this program");
});

test("reports the existing versions if the pinned one does not exist", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  const { failure } = await stack.up(brief({ pinVersion: 7 }));
  expect(failure!.message).toMatch(/has no version 7; its newest one is 1\. Correct pinVersion\./);
});

test.each([7, undefined])(
  "keeps a new assistant in state if its version cannot be pinned (next pinVersion: %s)",
  async (next) => {
    const stack = world.stack("assistant");
    const { failure } = await stack.up(brief({ pinVersion: 7 }));
    expect(failure!.id).toBe(stack.id);
    await stack.refresh();
    const { step } = await stack.up(brief({ pinVersion: next }));
    expect(step).toBe(next === undefined ? "update" : "refused");
    // A version that is no longer pinned is replaced by a new one with the declared values.
    expect(await assistant(stack.id!)).toMatchObject({ name: "Brief", version: next === undefined ? 2 : 1 });
    const { id } = stack;
    await stack.destroy();
    await expect(assistant(id!)).rejects.toThrow("404");
  },
);

test("restores an assistant after an update that failed but took effect on the server", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ metadata: { a: 1 } }));
  world.admin.fault({
    kind: "status",
    status: 400,
    method: "PATCH",
    path: "/agents/:id/assistants/:assistant",
    when: "after",
  });
  const { failure } = await stack.up(brief({ name: "Long", metadata: { a: 2 } }));
  expect(failure!.id).toBe(stack.id);
  expect(await stack.up(brief({ metadata: { a: 1 } }))).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ name: "Brief", metadata: { a: 1 } });
  await stack.destroy();
});

test("pins the version again after a different one was pinned externally", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await stack.up(brief({ context: { style: "long" } }));
  await stack.up(brief({ context: { style: "long" }, pinVersion: 1 }));
  await world.ask("POST", `${assistantPath(stack.id!)}/latest`, { version: 2 });
  await stack.refresh();
  expect(await stack.up(brief({ context: { style: "long" }, pinVersion: 1 }))).toMatchObject({
    step: "update",
  });
  expect(await assistant(stack.id!)).toMatchObject({ version: 1 });
});

describe("an existing assistant", () => {
  test("causes a conflict unless the program adopts it", async () => {
    const id = randomUUID();
    await world.ask("POST", "/assistants", { assistant_id: id, graph_id: "agent", name: "Theirs" });
    const stack = world.stack("assistant");
    const { failure } = await stack.up(brief({ assistantId: id }));
    expect(failure!.message).toBe(
      `Assistant ${id} ("Theirs") already exists and has no ownership tag. Adopt it (\`adopt: "always"\`), use another \`assistantId\`, or delete it.`,
    );
    expect(await stack.up(brief({ assistantId: id, adopt: "always" }))).toMatchObject({ step: "create" });
    expect(await assistant(id)).toMatchObject({ name: "Brief", version: 2 });
    expect(world.log.kept).toContain(`Assistant ${id} ("Theirs") has no ownership tag and is adopted.`);
  });

  test("is kept when its interrupted create is resumed", async () => {
    const stack = world.stack("assistant");
    await stack.up(brief());
    const { id } = stack;
    stack.lose();
    world.forget();
    expect(await stack.up(brief())).toMatchObject({ step: "create" });
    expect([stack.id, world.writes()]).toEqual([id, ["POST /assistants"]]);
    expect(stack.outputs["version"]).toBe(1);
  });

  test("is reported with the stack that owns it", async () => {
    await world.stack("assistant", "shared", "prod").up(brief());
    const { failure } = await world.stack("assistant", "shared", "dev").up(brief());
    expect(failure!.message).toContain("is owned by the resource shop/prod:shared");
  });

  test("is configured, and released on deletion, if it is the default assistant of its graph", async () => {
    const [own] = await world.ask<{ assistant_id: string }[]>("POST", "/assistants/search", {
      metadata: { created_by: "system" },
    });
    const stack = world.stack("assistant");
    expect(await stack.up(brief({ assistantId: own!.assistant_id }))).toMatchObject({ step: "create" });
    await stack.destroy();
    const left = await assistant(own!.assistant_id);
    expect(left.metadata["agentserver_owner"] ?? null).toBeNull();
  });
});

test("creates only one assistant if the response is lost", async () => {
  world.admin.fault({ kind: "reset", when: "after", method: "POST", path: "/agents/:id/assistants" });
  const stack = world.stack("assistant");
  expect(await stack.up(brief())).toMatchObject({ step: "create" });
  expect(stack.outputs["version"]).toBe(1);
  world.admin.fault({
    kind: "reset",
    when: "after",
    method: "PATCH",
    path: "/agents/:id/assistants/:assistant",
  });
  expect(await stack.up(brief({ name: "Briefer" }))).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ name: "Briefer", version: 2 });
});

const patchFault = (change: object) => ({
  kind: "status" as const,
  status: 503,
  retryAfter: 60,
  method: "PATCH",
  path: "/agents/:id/assistants/:assistant",
  ...change,
});

test("sends a lost change again if others have created a version in the meantime", async () => {
  const stack = world.stack("assistant");
  const config = { tags: ["a"], configurable: { model: "x" } };
  const context = undefined;
  await stack.up(brief({ description: "old", config, context }));
  world.admin.fault(patchFault({}));
  world.duringPause = () =>
    world.ask("PATCH", assistantPath(stack.id!), {
      metadata: { theirs: 1 },
      config: { ...config, max_concurrency: 3 },
    });
  expect(await stack.up(brief({ description: "mine", config: { tags: ["a"] }, context }))).toMatchObject({
    step: "update",
  });
  expect(await assistant(stack.id!)).toMatchObject({
    version: 3,
    description: "mine",
    config: { tags: ["a"], max_concurrency: 3 },
    context: {},
    metadata: { theirs: 1 },
  });
  expect(stack.outputs["version"]).toBe(3);
});

test("does not send a change again if others have changed something else after it", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ description: "old" }));
  world.admin.fault(patchFault({ when: "after" }));
  world.duringPause = () => world.ask("PATCH", assistantPath(stack.id!), { metadata: { theirs: 1 } });
  const changed = brief({ description: "mine", config: { tags: ["a"] }, context: { style: "long" } });
  expect(await stack.up(changed)).toMatchObject({ step: "update" });
  expect(await assistant(stack.id!)).toMatchObject({ version: 3, description: "mine" });
});

test("does not change or delete an assistant that another resource now owns", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await world.ask("PATCH", assistantPath(stack.id!), { metadata: { agentserver_owner: "another-owner" } });
  const { failure } = await stack.up(brief({ name: "Mine" }));
  expect(failure!.message).toContain("was not changed because it is owned by");
  await stack.destroy();
  expect(world.log.lines("warning").at(-1)).toMatch(/^Assistant .* was not deleted because it is owned by /);
});

test("accepts an external deletion on destroy, and recreates the assistant after a refresh", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await world.ask("DELETE", assistantPath(stack.id!));
  await stack.destroy();
  await stack.up(brief());
  await world.ask("DELETE", assistantPath(stack.id!));
  expect(await stack.refresh()).toBe(false);
  expect(await stack.up(brief())).toMatchObject({ step: "create" });
});

test("reports invalid inputs before it sends a request", async () => {
  const wrong = { ...brief(), assistantId: "x", pinVersion: 0, deployment: undefined, contxt: {} };
  const { checkFailures } = await world.stack("assistant").up(wrong);
  expect(checkFailures.map(({ reason }) => reason).sort()).toEqual([
    "assistantId: must be a UUID",
    "contxt: is not a field; did you mean context?",
    "deployment: is required, unless you specify a connection to another agent server",
    "pinVersion: too small: expected number to be >=1",
  ]);
  expect(world.writes()).toEqual([]);
});

test("warns about a graph that the server does not have", async () => {
  await world.stack("assistant").check(brief({ graph: "missing" }));
  expect(world.log.lines("warning").join()).toContain(
    "graph: is missing, which the agent server does not have",
  );
});

const metadataOf = async (id: string) => {
  const { metadata } = await assistant(id);
  return Object.fromEntries(
    Object.entries(metadata).filter(([key, value]) => !key.startsWith("agentserver_") && value !== null),
  );
};

test("removes metadata from the server even if others changed it in the meantime", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ metadata: { a: 1, b: 1 } }));
  await world.ask("PATCH", assistantPath(stack.id!), { metadata: { b: 2, theirs: 3 } });
  world.forget();
  await stack.up(brief({ metadata: { a: 1 } }));
  expect(await metadataOf(stack.id!)).toEqual({ a: 1, theirs: 3 });
});

test("reverts external changes, and reports them on one line", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ description: "mine", metadata: { a: 1 } }));
  await world.ask("PATCH", assistantPath(stack.id!), { description: "theirs" });
  world.forget();
  await stack.up(brief({ description: "mine", metadata: { a: 2 } }));
  expect(await assistant(stack.id!)).toMatchObject({ description: "mine", metadata: { a: 2 } });
  expect(world.log.lines("info")).toContain(
    `Assistant ${stack.id} ("Brief") was changed outside this program: the update also changes \`description\`.`,
  );
});

test("removes metadata that the program removed while a version was pinned", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ metadata: { a: 1, old: 1 } }));
  await stack.up(brief({ metadata: { a: 1, b: 1 } }));
  // Version 1 still has the key that version 2 removed.
  await stack.up(brief({ metadata: { a: 1, b: 1 }, pinVersion: 1 }));
  await stack.up(brief({ metadata: { b: 1 }, pinVersion: 1 }));
  await stack.up(brief({ metadata: { b: 1 } }));
  expect(await metadataOf(stack.id!)).toEqual({ b: 1 });
  await stack.refresh();
  expect(await stack.up(brief({ metadata: { b: 1 } }))).toMatchObject({ step: "same" });
});

test.each([
  ["another stack", true],
  ["no resource", false],
])("does not pin a version that %s owns", async (_what, isForeign) => {
  const assistantId = randomUUID();
  if (isForeign) await world.stack("assistant", "theirs", "prod").up(brief({ assistantId }));
  else await world.ask("POST", "/assistants", { assistant_id: assistantId, graph_id: "agent" });
  const stack = world.stack("assistant");
  const wanted = brief({ assistantId, adopt: "always" });
  await stack.up({ ...wanted, pinVersion: 1 });
  expect(await assistant(assistantId)).toMatchObject({ version: 1 });
  await world.ask("PATCH", `/assistants/${assistantId}`, { context: { style: "two" } });
  const before = await assistant(assistantId);
  const { failure } = await stack.up({ ...wanted, pinVersion: 1 });
  expect(failure!.message).toContain(
    `Version 1 of assistant ${assistantId} cannot be pinned, because it was created before this resource became the owner`,
  );
  expect(await assistant(assistantId)).toMatchObject({ version: 2, metadata: before.metadata });
  expect(await stack.up(wanted)).toMatchObject({ step: "create" });
  expect((await stack.up({ ...wanted, pinVersion: 1 })).failure!.message).toContain("cannot be pinned");
  expect(await stack.up({ ...wanted, context: { style: "four" }, pinVersion: 3 })).toMatchObject({
    step: "update",
  });
  await stack.destroy();
  await expect(assistant(assistantId)).rejects.toThrow("404");
});

test("selects the previous version again if another stack's version cannot be pinned", async () => {
  const assistantId = randomUUID();
  await world.stack("assistant", "theirs", "prod").up(brief({ assistantId }));
  const stack = world.stack("assistant");
  await stack.up(brief({ assistantId, adopt: "always" }));
  const before = await assistant(assistantId);
  let failure: Error | undefined;
  const work = async () => {
    ({ failure } = await stack.up(brief({ assistantId, pinVersion: 1 })));
  };
  // Every response from the server takes 3 seconds.
  await killedAt({ request: Infinity, isCarriedOut: true }, work, () => world.clock.advance(3_000));
  expect(failure!.message).toContain("Version 1 of assistant");
  const { version, metadata } = before;
  expect(await assistant(assistantId)).toMatchObject({ version, metadata });
  await stack.destroy();
});

test("keeps its ownership tag after a rename while a version is pinned", async () => {
  const name = randomUUID();
  const first = world.stack("assistant", name);
  await first.up(brief());
  await first.up(brief({ context: { style: "long" }, pinVersion: 1 }));
  const stack = Object.assign(world.stack("assistant", `renamed-${name}`), {
    id: first.id,
    inputs: first.inputs,
    outputs: first.outputs,
  });
  world.forget();
  expect(await stack.up(brief({ pinVersion: 1 }))).toMatchObject({ step: "update" });
  expect(await stack.up(brief({ pinVersion: 1 }))).toMatchObject({ step: "same" });
  expect(world.writes()).toEqual([]);
  await stack.refresh();
  expect(await stack.up(brief({ pinVersion: 1 }))).toMatchObject({ step: "same" });
  expect(world.log.lines("warning")).toEqual([]);
  expect(await stack.up(brief({ description: "later" }))).toMatchObject({ step: "update" });
  const { metadata } = await assistant(stack.id!);
  expect(metadata["agentserver_owner"]).toBe(stack.outputs["ownerId"]);
  expect(metadata["agentserver_resource"]).toBe(`shop/dev:renamed-${name}`);
  await stack.destroy();
});

test("keeps the rest of the configuration when one entry changes", async () => {
  const id = randomUUID();
  const config = { tags: ["a"], recursion_limit: 7, max_concurrency: 3, configurable: { thread: 5 } };
  await world.ask("POST", "/assistants", { assistant_id: id, graph_id: "agent", config });
  const stack = world.stack("assistant");
  const wanted = (config: object | null) => ({
    ...world.deployment,
    graph: "agent",
    assistantId: id,
    adopt: "always",
    config,
  });
  await stack.up(wanted({ tags: ["a"] }));
  await stack.up(wanted({ tags: ["b"], recursionLimit: 9 }));
  expect(await assistant(id)).toMatchObject({ config: { ...config, tags: ["b"], recursion_limit: 9 } });
  await stack.up(wanted({ tags: ["b"] }));
  const { recursion_limit: _, ...rest } = config;
  expect((await assistant(id)).config).toEqual({ ...rest, tags: ["b"] });
});

test("keeps the rest of the configuration if the server repeats the context in it", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ context: { style: "a" }, config: { tags: ["a"] } }));
  await world.ask("PATCH", assistantPath(stack.id!), {
    config: { tags: ["a"], max_concurrency: 3, configurable: { style: "a" } },
  });
  await stack.up(brief({ context: { style: "b" }, config: { tags: ["b"] } }));
  expect(await assistant(stack.id!)).toMatchObject({
    context: { style: "b" },
    config: { tags: ["b"], max_concurrency: 3 },
  });
});

test.each([
  ["description", "text", (record: Assistant) => record.description || null, null],
  ["config", { tags: ["a"] }, (record: Assistant) => record.config, { configurable: {} }],
  ["context", { style: "a" }, (record: Assistant) => record.context, {}],
])("clears %s with null", async (field, value, read, cleared) => {
  const stack = world.stack("assistant");
  const base = { ...world.deployment, graph: "agent" };
  await stack.up({ ...base, [field]: value });
  await stack.up({ ...base, [field]: null });
  expect(read(await assistant(stack.id!))).toEqual(cleared);
  await stack.refresh();
  expect(await stack.up({ ...base, [field]: null })).toMatchObject({ step: "same" });
});

test("clears its own metadata with null, and keeps metadata that others have set", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief({ metadata: { a: 1 } }));
  await world.ask("PATCH", assistantPath(stack.id!), { metadata: { theirs: 1 } });
  await stack.up(brief({ metadata: null }));
  expect(await metadataOf(stack.id!)).toEqual({ theirs: 1 });
});

test("explains why a name cannot be cleared", async () => {
  const { checkFailures } = await world.stack("assistant").up(brief({ name: null }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    "name: cannot be cleared: every assistant on an agent server has a name",
  ]);
});

test("reports an assistant that was deleted before an update", async () => {
  const stack = world.stack("assistant");
  await stack.up(brief());
  await world.ask("DELETE", assistantPath(stack.id!));
  const { failure } = await stack.up(brief({ name: "Again" }));
  expect(failure!.message).toBe(
    `Assistant ${stack.id} no longer exists. Run \`pulumi refresh\`; the next \`pulumi up\` recreates it.`,
  );
});
