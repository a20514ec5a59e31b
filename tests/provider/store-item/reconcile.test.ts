import { AgentWorld } from "../agent-world";
import { everyKill, killedAt } from "../killed";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const tone = (key: string, change: object = {}) => ({
  ...world.deployment,
  namespace: ["guidelines", "voice"],
  key,
  value: { text: "Friendly." },
  ...change,
});

const item = (key: string) =>
  world.ask<{ value: object } | null>("GET", `/store/items?key=${key}&namespace=guidelines.voice`);

test("creates, changes, and deletes an item, and detects external changes", async () => {
  const stack = world.stack("storeItem");
  expect(await stack.up(tone("a"))).toEqual({ step: "create", checkFailures: [] });
  expect(stack.id).toBe("guidelines.voice/a");
  await stack.up(tone("a", { value: { text: "Formal." } }));
  expect(await item("a")).toMatchObject({ value: { text: "Formal." } });
  await world.ask("PUT", "/store/items", {
    namespace: ["guidelines", "voice"],
    key: "a",
    value: { text: "Rude." },
  });
  await stack.refresh();
  const wanted = tone("a", { value: { text: "Formal." } });
  expect(await stack.up(wanted)).toMatchObject({ step: "refused" });
  expect(await item("a")).toMatchObject({ value: { text: "Rude." } });
  expect(await stack.up({ ...wanted, adopt: "always" })).toMatchObject({ step: "update" });
  expect(await item("a")).toMatchObject({ value: { text: "Formal." } });
  await stack.destroy();
  expect(await item("a").catch(() => null)).toBeNull();
});

test("reports in the preview that an item with another owner will not be changed", async () => {
  const stack = world.stack("storeItem");
  await stack.up(tone("said"));
  await world.ask("PUT", "/store/items", { ...tone("said"), value: { text: "Rude." } });
  await stack.refresh();
  const { failures } = await stack.check(tone("said"));
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("already exist and were not written by this resource: said."),
  ]);
  expect((await stack.check(tone("said", { adopt: "always" }))).failures).toEqual([]);
  await stack.destroy();
});

test("does not leave a record of an item that others have deleted", async () => {
  const stack = world.stack("storeItem");
  await stack.up(tone("gone"));
  await world.ask("DELETE", "/store/items", { namespace: ["guidelines", "voice"], key: "gone" });
  expect(await stack.refresh()).toBe(false);
  const { items } = await world.ask<{ items: { key: string }[] }>("POST", "/store/items/search", {
    namespace_prefix: ["pulumi-agentserver", "guidelines", "voice"],
    limit: 1000,
  });
  expect(items.filter(({ key }) => key.endsWith("/gone"))).toEqual([]);
});

test.each([
  ["the same value", { text: "Friendly." }],
  ["another value", { text: "Theirs." }],
])("adopts an item of another owner with %s only if the program allows it", async (_what, value) => {
  await world.ask("PUT", "/store/items", { namespace: ["guidelines", "voice"], key: "b", value });
  for (const adopt of ["never", "ifOwned", undefined]) {
    const { failure } = await world.stack("storeItem").up(tone("b", adopt === undefined ? {} : { adopt }));
    expect(failure!.message).toContain(
      'were not written by this resource: b. Adopt them (`adopt: "always"`)',
    );
  }
  expect(await item("b")).toMatchObject({ value });
  const stack = world.stack("storeItem");
  expect(await stack.up(tone("b", { adopt: "always" }))).toMatchObject({ step: "create" });
  await stack.destroy();
  expect(await item("b").catch(() => null)).toBeNull();
});

test.each(everyKill(6))("converges after a kill at %j, and leaves no items behind", async (kill) => {
  const stack = world.stack("storeItem");
  await killedAt(kill, () => stack.up(tone("k")));
  stack.host = world.host("storeItem");
  await stack.up(tone("k", { value: { text: "Formal." } }));
  await killedAt(kill, () => stack.up(tone("k", { value: { text: "Short." } })));
  stack.host = world.host("storeItem");
  expect((await stack.up(tone("k", { value: { text: "Long." } }))).failure).toBeUndefined();
  expect(await item("k")).toMatchObject({ value: { text: "Long." } });
  await killedAt(kill, () => stack.destroy());
  stack.host = world.host("storeItem");
  if (stack.id !== undefined) await stack.destroy();
  expect(await item("k").catch(() => null)).toBeNull();
});

test.each([1, 2])("restores an item after a failed change (completed writes: %d)", async (after) => {
  const stack = world.stack("storeItem");
  await stack.up(tone("r", { ttl: 60 }));
  const put = { method: "PUT", path: "/agents/:id/store/items" };
  world.admin.fault({ ...put, kind: "delay", ms: 0, times: after });
  world.admin.fault({ ...put, kind: "status", status: 400 });
  const { failure } = await stack.up(tone("r", { ttl: 5, value: { text: "Formal." } }));
  expect(failure?.id).toBe(stack.id);
  world.forget();
  expect(await stack.up(tone("r", { ttl: 60 }))).toMatchObject({ step: "update" });
  expect(world.writes()).toContain("PUT /store/items");
  expect(await item("r")).toMatchObject({ value: { text: "Friendly." } });
  expect(await stack.up(tone("r", { ttl: 60 }))).toMatchObject({ step: "same" });
  await stack.destroy();
});

test("keeps nothing in state when a create fails before the item is written", async () => {
  const stack = world.stack("storeItem");
  const put = { method: "PUT", path: "/agents/:id/store/items" };
  world.admin.fault({ ...put, kind: "delay", ms: 0 });
  world.admin.fault({ ...put, kind: "status", status: 400 });
  expect((await stack.up(tone("n"))).failure).toBeDefined();
  expect(stack.id).toBeUndefined();
  expect(await stack.up(tone("n"))).toMatchObject({ step: "create" });
  await stack.destroy();
});

test("replaces an item with one that has a different key", async () => {
  const stack = world.stack("storeItem");
  await stack.up(tone("old"));
  expect(await stack.up(tone("new"))).toMatchObject({ step: "replace" });
  expect([await item("old").catch(() => null), (await item("new"))?.value]).toEqual([
    null,
    { text: "Friendly." },
  ]);
  await stack.destroy();
});

test("sends nothing if ttl is no longer declared, as stated in the preview", async () => {
  const stack = world.stack("storeItem");
  await stack.up(tone("t", { ttl: 5 }));
  world.forget();
  expect(await stack.up(tone("t"))).toMatchObject({ step: "update" });
  expect(world.log.lines("info").join()).toContain("stored in state (no request is sent): ttl 5 → none");
  expect(world.writes()).toEqual([]);
  await stack.destroy();
});

test("creates an item if the response is lost", async () => {
  world.admin.fault({ kind: "reset", when: "after", method: "PUT", path: "/agents/:id/store/items" });
  expect(await world.stack("storeItem").up(tone("d"))).toMatchObject({ step: "create" });
});

test("rejects invalid inputs before it sends a request", async () => {
  const { checkFailures } = await world
    .stack("storeItem")
    .up(tone("", { namespace: ["a.b"], value: "text" }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("namespace.0: must not contain a dot"),
    expect.stringContaining("key: must not be empty"),
    expect.stringContaining("value: "),
  ]);
});
