import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeFile } from "../../tools/temporary-folder";
import { hashOf } from "../../../provider/store-items/items";
import { AgentWorld } from "../agent-world";
import { everyKill, killedAt } from "../killed";
import type { Stack } from "../stack";

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

const isSecret = (value: unknown) => Object.hasOwn(value as object, "4dabf18193072939515e22adb298388d");

async function there(...namespace: string[]): Promise<Record<string, unknown>> {
  const found = await world.ask<{ items: { key: string; value: unknown }[] }>("POST", "/store/items/search", {
    namespace_prefix: namespace,
    limit: 1000,
  });
  const sorted = found.items.map(({ key, value }) => [key, value] as const).sort();
  return Object.fromEntries(sorted);
}

/** Hashes of the values that a resource has written, keyed by item. */
interface WrittenItems {
  items: Record<string, string[]>;
}

/** Request that records what the resource writes. */
const record = "PUT /store/items";

test("sends only changed items, and deletes removed ones", async () => {
  const stack = world.stack("storeItems");
  await stack.up(items("one", { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } }));
  expect(world.writes()).toEqual([record, ...Array<string>(3).fill("PUT /store/items")]);
  await stack.up(items("one", { a: { n: 1 }, b: { n: 20 }, d: { n: 4 } }));
  expect(world.writes()).toEqual([
    record,
    "PUT /store/items",
    "PUT /store/items",
    "DELETE /store/items",
    record,
  ]);
  expect(world.log.lines("info").join()).toContain(
    "items (1 new: d, and 1 changed: b) [patch]; deleted from the server: items (1 removed: c) [remove]",
  );
  expect(await there("one")).toEqual({ a: { n: 1 }, b: { n: 20 }, d: { n: 4 } });
  world.forget();
  await stack.up(items("one", { a: { n: 1 } }, { prune: false }));
  expect(world.log.lines("info").join()).toContain("items (2 removed: b, d) [state]");
  expect(Object.keys(await there("one"))).toEqual(["a", "b", "d"]);
  await stack.destroy();
  expect(Object.keys(await there("one"))).toEqual(["b", "d"]);
});

test("manages a released item again, unless others have written to it since then", async () => {
  const stack = world.stack("storeItems");
  const all = { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } };
  await stack.up(items("back", all));
  await stack.up(items("back", { a: { n: 1 } }, { prune: false }));
  await stack.up(items("back", { a: { n: 2 } }, { prune: false }));
  await world.ask("PUT", "/store/items", { namespace: ["back"], key: "c", value: { n: 9 } });
  expect(await stack.up(items("back", { a: { n: 1 }, b: { n: 20 } }))).toMatchObject({ step: "update" });
  const { checkFailures } = await stack.up(items("back", all));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain("were not written by this resource: c.");
  await stack.destroy();
  expect(await there("back")).toEqual({ c: { n: 9 } });
});

test("does not delete a released item, even if other items are deleted later", async () => {
  const stack = world.stack("storeItems");
  await stack.up(items("left", { a: { n: 1 }, b: { n: 2 } }));
  await stack.up(items("left", { a: { n: 1 } }, { prune: false }));
  await stack.up(items("left", { a: { n: 3 } }));
  expect(await there("left")).toEqual({ a: { n: 3 }, b: { n: 2 } });
  await stack.destroy();
  expect(await there("left")).toEqual({ b: { n: 2 } });
});

test("keeps items that another stack has adopted, even with equal values", async () => {
  const [first, second] = [world.stack("storeItems"), world.stack("storeItems", "two", "prod")];
  await first.up(items("taken", { a: { n: 1 }, b: { n: 2 } }));
  await second.up(items("taken", { a: { n: 1 } }, { adopt: "always" }));
  const { checkFailures } = await first.up(items("taken", { a: { n: 5 }, b: { n: 2 } }));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain("were not written by this resource: a.");
  await first.destroy();
  expect(await there("taken")).toEqual({ a: { n: 1 } });
  await second.destroy();
  expect(await there("taken")).toEqual({});
});

test.each(["storeItem", "storeItems"] as const)(
  "keeps items that another %s has adopted, even if both adopt always",
  async (kind) => {
    const inputs = kind === "storeItem" ? { key: "a", value: { n: 1 } } : { items: { a: { n: 1 } } };
    const wanted = { ...world.deployment, namespace: [`taken-${kind}`], adopt: "always", ...inputs };
    const [first, second] = [world.stack(kind), world.stack(kind)];
    await first.up(wanted);
    await second.up(wanted);
    await first.destroy();
    expect(await there(`taken-${kind}`)).toEqual({ a: { n: 1 } });
    expect(world.log.lines("warning").join()).toContain(
      "were not deleted because others have written them: a",
    );
    await second.destroy();
    expect(await there(`taken-${kind}`)).toEqual({});
  },
);

test("reports the progress of hundreds of items on one line", async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`item-${n}`, { n }]));
  const stack = world.stack("storeItems");
  expect(await stack.up(items("many", many))).toMatchObject({ step: "create" });
  expect(world.writes()).toHaveLength(251);
  expect(world.log.lines("status").join()).toMatch(/STORING, \d+ of 250 items/);
  await stack.refresh();
  expect(await stack.up(items("many", many))).toMatchObject({ step: "same" });
  await stack.destroy();
  expect(await there("many")).toEqual({});
});

test("reads objects from JSON files and the contents of other text files in a folder", async () => {
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

const write = (namespace: string, key: string, value: object) =>
  world.ask("PUT", "/store/items", { namespace: [namespace], key, value });

test("detects drift in a single item, and corrects it only with adopt: always", async () => {
  const stack = world.stack("storeItems");
  const wanted = { a: { n: 1 }, b: { n: 2 } };
  await stack.up(items("three", wanted));
  await write("three", "a", { n: 9 });
  await write("three", "theirs", { n: 9 });
  await stack.refresh();
  const { checkFailures } = await stack.up(items("three", wanted));
  expect(checkFailures.map(({ reason }) => reason).join()).toContain("were not written by this resource: a.");
  expect(world.writes()).toEqual([]);
  expect(await stack.up(items("three", wanted, { adopt: "always" }))).toMatchObject({ step: "update" });
  expect(await there("three")).toEqual({ ...wanted, theirs: { n: 9 } });
  await stack.destroy();
  expect(await there("three")).toEqual({ theirs: { n: 9 } });
});

test("restores a deleted item", async () => {
  const stack = world.stack("storeItems");
  await stack.up(items("again", { a: { n: 1 }, b: { n: 2 } }));
  await world.ask("DELETE", "/store/items", { namespace: ["again"], key: "a" });
  await stack.refresh();
  expect(await stack.up(items("again", { a: { n: 1 }, b: { n: 2 } }))).toMatchObject({ step: "update" });
  expect(await there("again")).toEqual({ a: { n: 1 }, b: { n: 2 } });
  await stack.destroy();
});

test("keeps the items that a failed update has stored, and stores the others in the next run", async () => {
  const stack = world.stack("storeItems");
  await stack.up(items("four", { a: { n: 1 } }));
  world.admin.fault({
    kind: "status",
    status: 400,
    method: "DELETE",
    path: "/agents/:id/store/items",
    times: 1,
  });
  const { failure } = await stack.up(items("four", { b: { n: 1 } }));
  expect(failure!.reasons!.join(" ")).toContain(
    "1 of 2 items in the namespace four were stored before this error",
  );
  expect(await stack.up(items("four", { b: { n: 1 } }))).toMatchObject({ step: "update" });
  expect(await there("four")).toEqual({ b: { n: 1 } });
});

/** Makes the server reject the write of an item or a record after this number of other writes. */
function refusePut(after: number): void {
  const put = { method: "PUT", path: "/agents/:id/store/items" };
  if (after > 0) world.admin.fault({ ...put, kind: "delay", ms: 0, times: after });
  world.admin.fault({ ...put, kind: "status", status: 400 });
}

test.each([
  ["ttl", { ttl: 60 }, { ttl: 5 }],
  ["index", { index: ["n"] }, { index: false }],
])("restores the %s after a failed change to it", async (name, first, next) => {
  const stack = world.stack("storeItems");
  const values = { a: { n: 1 }, b: { n: 2 } };
  await stack.up(items("restored", values, first));
  refusePut(1);
  expect((await stack.up(items("restored", values, next))).failure).toBeDefined();
  expect(stack.outputs[name]).toBeUndefined();
  world.forget();
  expect(await stack.up(items("restored", values, first))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(Array(2).fill("PUT /store/items"));
  expect(await stack.up(items("restored", values, first))).toMatchObject({ step: "same" });
  await stack.destroy();
});

test("keeps the ttl in state when only a change to the values fails", async () => {
  const stack = world.stack("storeItems");
  const wanted = (n: number) => items("values", { a: { n }, b: { n: 2 } }, { ttl: 60 });
  await stack.up(wanted(1));
  refusePut(1);
  await stack.up(wanted(2));
  world.forget();
  expect(await stack.up(wanted(2))).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(["PUT /store/items", record]);
  await stack.destroy();
});

test.each([0, 1])(
  "does not take items away from their owner if an adoption fails (completed writes: %d)",
  async (after) => {
    const [mine, theirs] = [world.stack("storeItems"), world.stack("storeItems", "other", "prod")];
    await mine.up(items("failed", { a: { n: 1 } }));
    refusePut(after);
    const { failure } = await theirs.up(items("failed", { a: { n: 9 } }, { adopt: "always" }));
    expect(failure).toBeDefined();
    if (theirs.id !== undefined) await theirs.destroy();
    expect(await mine.up(items("failed", { a: { n: 2 } }))).toMatchObject({ step: "update" });
    await mine.destroy();
    expect(await there("failed")).toEqual({});
    expect(await there("pulumi-agentserver", "failed")).toEqual({});
  },
);

test("completes an adoption that failed after the items were written", async () => {
  const [mine, theirs] = [world.stack("storeItems"), world.stack("storeItems", "other", "prod")];
  await mine.up(items("half", { a: { n: 1 } }));
  refusePut(2);
  const wanted = items("half", { a: { n: 9 } }, { adopt: "always" });
  expect((await theirs.up(wanted)).failure).toBeDefined();
  expect((await theirs.up(wanted)).failure).toBeUndefined();
  expect((await mine.up(items("half", { a: { n: 2 } }))).step).toBe("refused");
  await mine.destroy();
  expect(await there("half")).toEqual({ a: { n: 9 } });
  await theirs.destroy();
  expect(await there("half")).toEqual({});
});

describe.each([
  ["the same value", 1],
  ["another value", 9],
])("an adoption with %s", (_what, n) => {
  test.each(everyKill(7))("keeps one owner for each item if it is killed at %j", async (kill) => {
    const [mine, theirs] = [world.stack("storeItems"), world.stack("storeItems", "other", "prod")];
    const namespace = `adopted-${n}`;
    await mine.up(items(namespace, { a: { n: 1 } }));
    const wanted = items(namespace, { a: { n } }, { adopt: "always" });
    await killedAt(kill, () => theirs.up(wanted));
    theirs.host = world.host("storeItems");
    const { a: value } = await there(namespace);
    const records = Object.values(await there("pulumi-agentserver", namespace));
    const digest = hashOf(value);
    expect(records.some((one) => (one as WrittenItems).items["a"]?.includes(digest))).toBe(true);
    expect((await theirs.up(wanted)).failure).toBeUndefined();
    expect((await mine.up(items(namespace, { a: { n: 2 } }))).step).toBe("refused");
    await mine.destroy();
    expect(await there(namespace)).toEqual({ a: { n } });
    await theirs.destroy();
    expect(await there(namespace)).toEqual({});
    expect(await there("pulumi-agentserver", namespace)).toEqual({});
  });
});

describe.each(["never", "ifOwned", "always"] as const)(
  "a resource whose items others have written (adopt: %s)",
  (adopt) => {
    const namespace = `others-${adopt}`;
    const isAdopted = adopt === "always";
    const claimed = (stack: Stack, values: object) => stack.up(items(namespace, values, { adopt }));
    afterEach(async () => {
      for (const key of Object.keys(await there(namespace)))
        await world.ask("DELETE", "/store/items", { namespace: [namespace], key });
    });

    test.each([
      ["another value", { by: "others" }],
      ["the same value", { n: 1 }],
    ])("adopts them in a create only if allowed, with %s", async (_what, theirs) => {
      await write(namespace, "a", theirs);
      const stack = world.stack("storeItems");
      expect((await claimed(stack, { a: { n: 1 } })).step).toBe(isAdopted ? "create" : "refused");
      expect(await there(namespace)).toEqual({ a: isAdopted ? { n: 1 } : theirs });
      if (isAdopted) await stack.destroy();
      expect(await there(namespace)).toEqual(isAdopted ? {} : { a: theirs });
    });

    test.each([true, false])("adopts them in an update only if allowed (refresh: %s)", async (refreshes) => {
      const stack = world.stack("storeItems");
      await claimed(stack, { a: { n: 1 }, b: { n: 1 } });
      await write(namespace, "a", { by: "others" });
      await write(namespace, "c", { by: "others" });
      if (refreshes) await stack.refresh();
      const before = await there(namespace);
      const { step } = await claimed(stack, { a: { n: 2 }, b: { n: 2 }, c: { n: 2 } });
      expect(step).toBe(isAdopted ? "update" : "refused");
      expect(await there(namespace)).toEqual(isAdopted ? { a: { n: 2 }, b: { n: 2 }, c: { n: 2 } } : before);
    });

    test.each([true, false])("deletes them in an update only if allowed (refresh: %s)", async (refreshes) => {
      const stack = world.stack("storeItems");
      await claimed(stack, { a: { n: 1 }, b: { n: 1 }, c: { n: 1 } });
      await write(namespace, "a", { by: "others" });
      if (refreshes) await stack.refresh();
      expect(await claimed(stack, { c: { n: 1 } })).toMatchObject({ step: "update" });
      expect(await there(namespace)).toEqual({ ...(!isAdopted && { a: { by: "others" } }), c: { n: 1 } });
      expect(world.log.lines("warning").join().includes("because others have written them: a.")).toBe(
        !isAdopted,
      );
    });

    test.each([true, false])("deletes them in a destroy only if allowed (refresh: %s)", async (refreshes) => {
      const stack = world.stack("storeItems");
      await claimed(stack, { a: { n: 1 }, b: { n: 1 } });
      await write(namespace, "a", { by: "others" });
      if (refreshes) await stack.refresh();
      stack.host = world.host("storeItems");
      await stack.destroy();
      expect(await there(namespace)).toEqual(isAdopted ? {} : { a: { by: "others" } });
    });
  },
);

test.each(everyKill(9))("converges if a create or update is killed at %j", async (kill) => {
  for (const next of [
    { a: { n: 1 }, b: { n: 2 } },
    { b: { n: 3 }, c: { n: 4 } },
  ]) {
    const stack = world.stack("storeItems");
    await killedAt(kill, () => stack.up(items("killed", { a: { n: 1 }, b: { n: 2 } })));
    stack.host = world.host("storeItems");
    if (stack.id === undefined) await stack.up(items("killed", next));
    await killedAt(kill, () => stack.up(items("killed", { b: { n: 5 }, d: { n: 6 } })));
    stack.host = world.host("storeItems");
    // The engine does not know about the killed update, so only a refresh detects it if the program is reverted.
    await stack.refresh();
    expect((await stack.up(items("killed", next))).failure).toBeUndefined();
    expect(await there("killed")).toEqual(next);
    await killedAt(kill, () => stack.destroy());
    stack.host = world.host("storeItems");
    if (stack.id !== undefined) await stack.destroy();
    expect(await there("killed")).toEqual({});
    expect(await there("pulumi-agentserver", "killed")).toEqual({});
  }
});

test("leaves no items behind if destroy follows a killed update", async () => {
  for (const kill of everyKill(6)) {
    const stack = world.stack("storeItems");
    await stack.up(items("destroyed", { a: { n: 1 } }));
    await killedAt(kill, () => stack.up(items("destroyed", { a: { n: 2 }, b: { n: 2 } })));
    stack.host = world.host("storeItems");
    await stack.destroy();
    expect(await there("destroyed")).toEqual({});
  }
});

test("sends the options of an item again when it reclaims the item", async () => {
  const [mine, theirs] = [world.stack("storeItems"), world.stack("storeItems", "other", "prod")];
  const wanted = (values: object, ttl: number) => items("options", values, { adopt: "always", ttl });
  await mine.up(wanted({ a: { n: 1 } }, 5));
  await theirs.up(wanted({ a: { n: 1 } }, 9));
  world.forget();
  expect(await mine.up(wanted({ a: { n: 1 }, b: { n: 1 } }, 5))).toMatchObject({ step: "update" });
  // The records of both resources, and both items.
  expect(world.writes()).toEqual([record, record, "PUT /store/items", "PUT /store/items"]);
  await mine.destroy();
});

test("sends the options of a released item when it is added again", async () => {
  const stack = world.stack("storeItems");
  const wanted = (values: object) => items("again", values, { index: ["n"], prune: false });
  await stack.up(items("again", { a: { n: 1 }, b: { n: 1 } }));
  await stack.up(wanted({ a: { n: 1 } }));
  world.forget();
  await stack.up(wanted({ a: { n: 1 }, b: { n: 1 } }));
  // The record, the item, and the record again.
  expect(world.writes()).toEqual([record, "PUT /store/items", record]);
  await stack.destroy();
});

test("sends nothing if ttl and index are no longer declared, as stated in the preview", async () => {
  const stack = world.stack("storeItems");
  const values = { a: { n: 1 }, b: { n: 2 } };
  await stack.up(items("omitted", values, { ttl: 5, index: ["n"] }));
  world.forget();
  await stack.up(items("omitted", values));
  expect(world.log.lines("info").join()).toContain("stored in state (no request is sent): index");
  expect(world.writes()).toEqual([]);
});

test.each([
  ["ttl", { ttl: 9 }, { ttl: 5 }],
  ["index", { index: ["n"] }, { index: false }],
])("rewrites identical items of an interrupted create for a different %s", async (_what, first, next) => {
  const stack = world.stack("storeItems");
  await stack.up(items("rewritten", { a: { n: 1 }, b: { n: 2 } }, first));
  stack.lose();
  stack.host = world.host("storeItems");
  world.forget();
  await stack.up(items("rewritten", { a: { n: 1 }, b: { n: 2 } }, next));
  expect(world.writes().filter((request) => request === "PUT /store/items")).toHaveLength(2);
  await stack.destroy();
});

test("rejects an empty folder unless it is allowed", async () => {
  const folder = temporaryFolder();
  writeFile(join(folder, "a.md"), "a");
  const wanted = { ...world.deployment, namespace: ["empty"], folder };
  const stack = world.stack("storeItems");
  await stack.up(wanted);
  rmSync(join(folder, "a.md"));
  const { checkFailures } = await stack.up(wanted);
  expect(checkFailures.map(({ reason }) => reason).join()).toContain("To allow that, set `allowEmpty: true`");
  expect(Object.keys(await there("empty"))).toEqual(["a.md"]);
  expect(await stack.up({ ...wanted, allowEmpty: true })).toMatchObject({ step: "update" });
  expect(await there("empty")).toEqual({});
});

test("keeps the keys and hashes of secret items secret", async () => {
  const stack = world.stack("storeItems");
  stack.call = { secretPaths: ["items"] };
  await stack.up(items("secret", { "customer-canary": { pin: "1234" } }));
  const props = { __provider: "", __call: { urn: stack.urn, ...stack.call } };
  const changed = items("secret", { "customer-canary": { pin: "9999" }, "other-canary": { pin: "1" } });
  const { inputs } = await stack.host.check({}, { ...props, ...changed });
  expect(isSecret(inputs!["itemHashes"])).toBe(true);
  const { outs } = await stack.host.update(
    stack.id!,
    { ...props, ...stack.outputs },
    { ...props, ...changed },
  );
  expect(isSecret(outs!["itemHashes"])).toBe(true);
  const read = await stack.host.read(stack.id!, { ...props, ...stack.outputs });
  expect([isSecret(read.props!["itemHashes"]), isSecret(read.inputs!["itemHashes"])]).toEqual([true, true]);
  await write("secret", "another-canary", { pin: "2" });
  const { checkFailures } = await stack.up(items("secret", { "another-canary": { pin: "1" } }));
  const { reason } = checkFailures[0]!;
  expect(reason).toContain("[secret]");
  await stack.up(items("secret", {}));
  expect(world.log.kept + reason).not.toContain("canary");
});

test.each<[string, Record<string, string>, RegExp]>([
  ["a JSON list", { "a.json": "[1]" }, /folder: a\.json must contain a JSON object/],
  ["invalid JSON", { "a.json": "{" }, /folder: a\.json must contain a JSON object/],
  ["a file that is not text", { "a.bin": "\0" }, /folder: a\.bin is not a text file/],
  [
    "two files for the same item",
    { faq: "text", "faq.json": "{}" },
    /two files for the item faq: faq and faq\.json/,
  ],
])("rejects a folder with %s, without sending a request", async (_what, files, text) => {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFile(join(folder, name), content);
  const { checkFailures } = await world
    .stack("storeItems")
    .up({ ...world.deployment, namespace: ["six"], folder });
  expect(checkFailures.map(({ reason }) => reason).join()).toMatch(text);
});

test("completes an interrupted change to the index in the next update", async () => {
  const stack = world.stack("storeItems");
  const wanted = { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } };
  await stack.up(items("found", wanted));
  world.writes();
  const changed = items("found", wanted, { index: ["n"] });
  await killedAt({ request: 3, isCarriedOut: true }, () => stack.up(changed));
  stack.host = world.host("storeItems");
  world.forget();
  expect(await stack.up(changed)).toMatchObject({ step: "update" });
  expect(world.writes()).toEqual(Array(3).fill("PUT /store/items"));
  expect(await stack.up(changed)).toMatchObject({ step: "same" });
});

test.each(["constructor", "toString", "hasOwnProperty"])("stores an item with the key %s", async (key) => {
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
});

test.each([
  [
    "caps its pages",
    { items: Array.from({ length: 40 }, (_, n) => ({ namespace: ["capped"], key: `${n}`, value: { n } })) },
  ],
])("reads the whole list of a server that %s", async (_what, page) => {
  const path = "/agents/:id/store/items/search";
  const rest = { items: [{ namespace: ["capped"], key: "last", value: { n: 41 } }] };
  world.admin.fault({ kind: "status", status: 200, body: page, path, method: "POST" });
  world.admin.fault({ kind: "status", status: 200, body: rest, path, method: "POST" });
  const { failure } = await world.stack("storeItems").up(items("capped", { last: { n: 1 }, b: {} }));
  expect(failure?.message).toContain("were not written by this resource: last.");
});

test("stops listing on a server that ignores the offset", async () => {
  const path = "/agents/:id/store/items/search";
  const page = Array.from({ length: 100 }, (_, n) => ({ namespace: ["same"], key: `${n}`, value: { n } }));
  world.admin.fault({ kind: "status", status: 200, body: { items: page }, path, method: "POST", times: 99 });
  expect(
    await world.stack("storeItems").up(items("same", { mine: { n: 1 }, other: { n: 1 } })),
  ).toMatchObject({ step: "create" });
  world.admin.clearFaults();
});
