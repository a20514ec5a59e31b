import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";
import { AgentWorld } from "../agent-world";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

const items = (namespace: string, values: object, change: object = {}) => ({
  ...world.deployment,
  namespace: [namespace],
  items: values,
  ...change,
});

async function there(namespace: string): Promise<Record<string, unknown>> {
  const found = await world.ask<{ items: { key: string; value: unknown }[] }>("POST", "/store/items/search", {
    namespace_prefix: [namespace],
    limit: 1000,
  });
  const sorted = found.items.map(({ key, value }) => [key, value] as const).sort();
  return Object.fromEntries(sorted);
}

test("only what changes is sent, and what is taken out is deleted", async () => {
  const stack = world.stack("storeItems");
  await stack.up(items("one", { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } }));
  expect(world.writes()).toEqual(Array(3).fill("PUT /store/items"));
  await stack.up(items("one", { a: { n: 1 }, b: { n: 20 }, d: { n: 4 } }));
  expect(world.writes().sort()).toEqual(["DELETE /store/items", "PUT /store/items", "PUT /store/items"]);
  expect(await there("one")).toEqual({ a: { n: 1 }, b: { n: 20 }, d: { n: 4 } });
  await stack.up(items("one", { a: { n: 1 } }, { prune: false }));
  expect(Object.keys(await there("one"))).toEqual(["a", "b", "d"]);
  await stack.destroy();
  expect(Object.keys(await there("one"))).toEqual(["b", "d"]);
});

test("hundreds of items are one line of progress", async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`item-${n}`, { n }]));
  const stack = world.stack("storeItems");
  expect(await stack.up(items("many", many))).toMatchObject({ step: "create" });
  expect(world.writes()).toHaveLength(250);
  expect(world.log.lines("status").join()).toMatch(/STORING, \d+ of 250 items/);
  await stack.refresh();
  expect(await stack.up(items("many", many))).toMatchObject({ step: "same" });
  await stack.destroy();
  expect(await there("many")).toEqual({});
});

test("a folder is read: objects from JSON, and other texts as contents", async () => {
  const folder = temporaryFolder();
  writeFile(join(folder, "hours.md"), "From nine to five.");
  writeFile(join(folder, "policies", "refunds.json"), '{"days": 14}');
  writeFile(join(folder, ".hidden"), "not an item");
  const wanted = { ...world.deployment, namespace: ["two"], folder };
  const stack = world.stack("storeItems");
  await stack.up(wanted);
  expect(await there("two")).toEqual({
    "hours.md": { content: "From nine to five." },
    "policies/refunds": { days: 14 },
  });
  expect(JSON.stringify(stack.outputs)).not.toContain("From nine");
  rmSync(join(folder, "hours.md"));
  await stack.up(wanted);
  expect(await there("two")).toEqual({ "policies/refunds": { days: 14 } });
});

test("drift of a single item is found and put right", async () => {
  const stack = world.stack("storeItems");
  await stack.up(items("three", { a: { n: 1 }, b: { n: 2 } }));
  await world.ask("PUT", "/store/items", { namespace: ["three"], key: "a", value: { n: 9 } });
  await world.ask("PUT", "/store/items", { namespace: ["three"], key: "theirs", value: { n: 9 } });
  await stack.refresh();
  expect(await stack.up(items("three", { a: { n: 1 }, b: { n: 2 } }))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(["PUT /store/items"]);
  expect(Object.keys(await there("three"))).toEqual(["a", "b", "theirs"]);
});

test("what a failure leaves is known, and the rest is stored by the next run", async () => {
  world.admin.fault({
    kind: "status",
    status: 400,
    method: "PUT",
    path: "/agents/:id/store/items",
    times: 1,
  });
  const stack = world.stack("storeItems");
  const { failure } = await stack.up(items("four", { a: { n: 1 } }));
  expect(failure!.reasons!.join(" ")).toContain("0 of 1 items of four were stored");
  expect(await stack.up(items("four", { a: { n: 1 } }))).toMatchObject({ step: "update" });
  expect(await there("four")).toEqual({ a: { n: 1 } });
});

test("items of others are no conflict, other values of the same keys are", async () => {
  await world.ask("PUT", "/store/items", { namespace: ["five"], key: "theirs", value: { n: 9 } });
  await world.ask("PUT", "/store/items", { namespace: ["five"], key: "same", value: { n: 1 } });
  const stack = world.stack("storeItems");
  const { failure } = await stack.up(items("five", { theirs: { n: 1 } }));
  expect(failure!.message).toContain("There are other items in the namespace five already: theirs.");
  world.forget();
  expect(await stack.up(items("five", { same: { n: 1 }, new: { n: 2 } }))).toMatchObject({ step: "create" });
  expect(world.writes()).toEqual(["PUT /store/items"]);
});

test.each<[string, Record<string, string>, RegExp]>([
  ["a list", { "a.json": "[1]" }, /folder: a\.json must hold a JSON object/],
  ["a broken file", { "a.json": "{" }, /folder: a\.json must hold a JSON object/],
  ["what is no text", { "a.bin": "\0" }, /folder: a\.bin is not a text file/],
])("%s in a folder is said before anything is asked", async (_what, files, text) => {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFile(join(folder, name), content);
  const { checkFailures } = await world
    .stack("storeItems")
    .up({ ...world.deployment, namespace: ["six"], folder });
  expect(checkFailures.map(({ reason }) => reason).join()).toMatch(text);
});

test("a change of how items are found that was cut off is made to its end by the next update", async () => {
  const stack = world.stack("storeItems");
  const wanted = { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } };
  await stack.up(items("found", wanted));
  world.writes();
  const changed = items("found", wanted, { index: ["n"] });
  world.admin.fault({ kind: "status", status: 422, method: "PUT", path: "/agents/:id/store/items" });
  expect(await stack.up(changed)).toMatchObject({ step: "refused" });
  world.forget();
  expect(await stack.up(changed)).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(Array(3).fill("PUT /store/items"));
  expect(await stack.up(changed)).toMatchObject({ step: "same" });
});

test.each(["constructor", "toString", "hasOwnProperty"])(
  "an item called %s is one like all others",
  async (key) => {
    const stack = world.stack("storeItems");
    const wanted = items("odd", { [key]: { n: 1 } });
    expect(await stack.up(wanted)).toMatchObject({ step: "create" });
    await stack.refresh();
    expect(await stack.up(wanted)).toMatchObject({ step: "same" });
    await world.ask("DELETE", "/store/items", { namespace: ["odd"], key });
    await stack.refresh();
    expect(await stack.up(wanted)).toMatchObject({ step: "update" });
    expect(await there("odd")).toEqual({ [key]: { n: 1 } });
    await stack.destroy();
  },
);

test.each([
  [
    "caps its pages",
    { items: Array.from({ length: 40 }, (_, n) => ({ namespace: ["capped"], key: `${n}`, value: { n } })) },
  ],
])("the list of a server that %s is read to its end", async (_what, page) => {
  const path = "/agents/:id/store/items/search";
  const rest = { items: [{ namespace: ["capped"], key: "last", value: { n: 41 } }] };
  world.admin.fault({ kind: "status", status: 200, body: page, path, method: "POST" });
  world.admin.fault({ kind: "status", status: 200, body: rest, path, method: "POST" });
  const { failure } = await world.stack("storeItems").up(items("capped", { last: { n: 1 } }));
  expect(failure?.message).toContain("There are other items in the namespace capped already: last.");
});

test("the list of a server that ignores where to begin ends all the same", async () => {
  const path = "/agents/:id/store/items/search";
  const page = Array.from({ length: 100 }, (_, n) => ({ namespace: ["same"], key: `${n}`, value: { n } }));
  world.admin.fault({ kind: "status", status: 200, body: { items: page }, path, method: "POST", times: 99 });
  expect(await world.stack("storeItems").up(items("same", { mine: { n: 1 } }))).toMatchObject({
    step: "create",
  });
  world.admin.clearFaults();
});
