import { AgentWorld } from "../agent-world";

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

test("is put, changed, found changed by others, and deleted", async () => {
  const stack = world.stack("storeItem");
  expect(await stack.up(tone("a"))).toEqual({ step: "create", checkFailures: [] });
  expect(stack.id).toBe("guidelines.voice/a");
  await stack.up(tone("a", { value: { text: "Formal." } }));
  expect(world.writes()).toEqual(["PUT /store/items", "PUT /store/items"]);
  await world.ask("PUT", "/store/items", {
    namespace: ["guidelines", "voice"],
    key: "a",
    value: { text: "Rude." },
  });
  await stack.refresh();
  expect(await stack.up(tone("a", { value: { text: "Formal." } }))).toMatchObject({ step: "update" });
  expect(await item("a")).toMatchObject({ value: { text: "Formal." } });
  await stack.destroy();
  expect(await item("a").catch(() => null)).toBeNull();
});

test("one that says the same is taken over, one that says something else only where the program says so", async () => {
  await world.ask("PUT", "/store/items", {
    namespace: ["guidelines", "voice"],
    key: "b",
    value: { text: "Friendly." },
  });
  expect(await world.stack("storeItem").up(tone("b"))).toMatchObject({ step: "create" });
  await world.ask("PUT", "/store/items", {
    namespace: ["guidelines", "voice"],
    key: "c",
    value: { text: "Theirs." },
  });
  const stack = world.stack("storeItem");
  const { failure } = await stack.up(tone("c"));
  expect(failure!.message).toContain("There is another item guidelines.voice/c in the store already");
  expect(await item("c")).toMatchObject({ value: { text: "Theirs." } });
  expect(await stack.up(tone("c", { adopt: "always" }))).toMatchObject({ step: "create" });
});

test("lost replies do no harm", async () => {
  world.admin.fault({ kind: "reset", when: "after", method: "PUT", path: "/agents/:id/store/items" });
  expect(await world.stack("storeItem").up(tone("d"))).toMatchObject({ step: "create" });
});

test("what is wrong is said before anything is asked", async () => {
  const { checkFailures } = await world
    .stack("storeItem")
    .up(tone("", { namespace: ["a.b"], value: "text" }));
  expect(checkFailures.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("namespace.0: must not hold a dot"),
    expect.stringContaining("key: must not be empty"),
    expect.stringContaining("value: "),
  ]);
});
