import { randomUUID } from "node:crypto";
import { recordLabel } from "../../../provider/agent-server/wire";
import { AgentWorld } from "../agent-world";
import type { Stack } from "../stack";

let world: AgentWorld;
beforeAll(async () => {
  world = await AgentWorld.start();
});
beforeEach(() => world.forget());

type Name = Parameters<AgentWorld["stack"]>[0];

/** Returns a stack whose resource is declared but not yet in the state. */
function declared(kind: Name, name: string, host = world.host(kind)): Stack {
  return Object.assign(world.stack(kind, name), { host });
}

/** Returns a stack in a later run, in which the resource from the state has a different name. */
function renamed(kind: Name, { id, inputs, outputs }: Stack, name: string, host = world.host(kind)): Stack {
  return Object.assign(declared(kind, name, host), { id, inputs, outputs });
}

const located = (change: object) => ({ ...world.deployment, ...change });

const cron = (hour: number) =>
  located({ assistant: "agent", schedule: `0 ${hour} * * *`, input: { messages: [] } });

const run = (change: object = {}) =>
  located({ assistant: "agent", input: { messages: [{ role: "user", content: "hi" }] }, ...change });

const store = (change: object = {}) => located({ namespace: ["renamed"], ...change });

test.each<[Name, object, string]>([
  ["storeItem", { key: "k", value: { a: 1 } }, "k"],
  ["storeItems", { items: { x: { a: 1 } } }, "x"],
])("keeps the contents of a renamed %s that the same update replaces", async (kind, inputs, key) => {
  const name = randomUUID();
  const first = declared(kind, name);
  await first.up(store({ ...inputs, ttl: 10 }));
  const next = renamed(kind, first, `next-${name}`);
  next.call = { replaceOnChanges: ["ttl"] };
  expect(await next.up(store({ ...inputs, ttl: 20 }))).toMatchObject({ step: "replace" });
  const path = `/store/items?namespace=renamed&key=${key}`;
  expect(await world.ask("GET", path)).toMatchObject({ value: { a: 1 } });
  next.host = world.host(kind);
  expect(await next.up(store({ ...inputs, ttl: 20 }))).toMatchObject({ step: "same" });
  await next.destroy();
  expect(await world.ask("GET", path).catch(() => null)).toBeNull();
});

test("deletes a thread with runs when one update renames and replaces it, if allowed", async () => {
  const name = randomUUID();
  const first = declared("thread", name);
  await first.up(located({}));
  const { id } = first;
  await world.ask("POST", `/threads/${id}/runs/wait`, { assistant_id: "agent", input: { messages: [] } });
  const next = renamed("thread", first, `next-${name}`);
  const wanted = located({ threadId: randomUUID(), forceDelete: true });
  expect(await next.up(wanted)).toEqual({ step: "replace", checkFailures: [] });
  await expect(world.ask("GET", `/threads/${id}`)).rejects.toThrow("404");
  await next.destroy();
});

test.each<[Name, object]>([
  ["assistant", { graph: "agent" }],
  ["thread", { metadata: { purpose: "inbox" } }],
])("keeps a renamed %s that the engine replaces without a comparison", async (kind, inputs) => {
  const name = randomUUID();
  const first = declared(kind, name);
  await first.up(located(inputs));
  const next = renamed(kind, first, `next-${name}`);
  const [id, outputs] = [next.id!, next.outputs];
  await next.check(located(inputs));
  next.lose();
  expect(await next.up(located(inputs))).toEqual({ step: "create", checkFailures: [] });
  await next.host.delete(id, outputs);
  expect(next.id).toBe(id);
  expect(await next.refresh()).toBe(true);
  expect(world.log.lines("warning").join()).not.toContain("owned by");
  await next.destroy();
});

test("does not delete the new run's thread when a run is replaced on the same agent server", async () => {
  const stack = declared("run", randomUUID());
  await stack.up(run({ triggers: [1] }));
  stack.call = { replaceOnChanges: ["triggers"] };
  expect(await stack.up(run({ triggers: [2] }))).toMatchObject({ step: "replace" });
  expect(await world.ask("POST", "/threads/count", {})).toBe(1);
  expect(await world.ask("GET", `/threads/${stack.outputs["ranOn"] as string}`)).toMatchObject({
    status: "idle",
  });
  await stack.destroy();
  expect(await world.ask("POST", "/threads/count", {})).toBe(0);
});

test.each<[Name, () => object]>([
  ["cron", () => cron(9)],
  ["run", () => run()],
  ["storeItem", () => store({ key: "k", value: { a: 1 } })],
  ["storeItems", () => store({ items: { x: { a: 1 } } })],
])(
  "rejects a new %s under the previous name of one whose rename has not been recorded",
  async (kind, wanted) => {
    for (const isFirst of [true, false]) {
      const name = randomUUID();
      const first = declared(kind, name);
      await first.up(wanted());
      const host = world.host(kind);
      const next = renamed(kind, first, `next-${name}`, host);
      const newcomer = declared(kind, name, host);
      const [one, other] = isFirst ? [newcomer, next] : [next, newcomer];
      expect((await one.check(wanted())).failures).toEqual([]);
      const { failures } = await other.check(wanted());
      expect(failures.map(({ reason }) => reason)).toEqual([
        `the resource "next-${name}" was renamed or moved, and its objects keep their previous ownership tag until its next update. The resource "${name}" would have the same tag and own the same objects, so give it another name until then`,
      ]);
      next.host = world.host(kind);
      expect(await next.up(wanted())).toMatchObject({ step: "update" });
      next.host = newcomer.host = world.host(kind);
      for (const stack of [newcomer, next]) expect((await stack.check(wanted())).failures).toEqual([]);
      await next.destroy();
    }
  },
);

const kept: [Name, () => object, (stack: Stack) => Promise<boolean>][] = [
  ["assistant", () => located({ graph: "agent" }), ({ id }) => exists(`/assistants/${id}`)],
  ["thread", () => located({}), ({ id }) => exists(`/threads/${id}`)],
  ["cron", () => cron(9), async () => (await world.ask("POST", "/runs/crons/count", {})) !== 0],
  ["run", () => run(), ({ outputs }) => exists(`/threads/${outputs["ranOn"] as string}`)],
];

function exists(path: string): Promise<boolean> {
  return world.ask("GET", path).then(
    () => true,
    () => false,
  );
}

describe.each(kept)(
  "a resource whose rename is interrupted after the tag is written (%s)",
  (kind, inputs, isThere) => {
    /** Returns the resource with its previous and its new name, after the engine has lost the result of the rename. */
    const interrupted = async (stack = "dev") => {
      const name = randomUUID();
      const first = declared(kind, name);
      await first.up(inputs());
      const { id, outputs } = first;
      const next = Object.assign(world.stack(kind, `next-${name}`, stack), {
        id,
        inputs: first.inputs,
        outputs,
      });
      expect(await next.up(inputs())).toMatchObject({ step: "update" });
      first.host = world.host(kind);
      world.forget();
      return { first, next };
    };

    test("is deleted under its previous name", async () => {
      const { first } = await interrupted();
      const seen = Object.assign(declared(kind, "seen"), { id: first.id, outputs: first.outputs });
      await first.destroy();
      expect(await isThere(seen)).toBe(false);
      expect(world.log.lines("warning")).toEqual([]);
    });

    test("regains its previous tag", async () => {
      const { first } = await interrupted();
      await first.refresh();
      if (kind !== "run") expect(await first.up(inputs())).toMatchObject({ step: "update" });
      if (kind === "run")
        expect(await first.up({ ...inputs(), triggers: [1] })).toMatchObject({ step: "update" });
      expect(await first.up(kind === "run" ? { ...inputs(), triggers: [1] } : inputs())).toMatchObject({
        step: "same",
      });
      expect(JSON.stringify(await isThere(first))).toBe("true");
      await first.destroy();
      expect(await isThere(first)).toBe(false);
    });

    test("is not deleted if another stack has a copy of the state and now owns it", async () => {
      const { first, next } = await interrupted("prod");
      await first.destroy();
      expect(await isThere(next)).toBe(true);
      expect(world.log.lines("warning").join()).toContain("was not deleted because it is owned by");
      await next.destroy();
    });
  },
);

/** Returns the ownership records of resources that have items in a namespace. */
async function recordsIn(namespace: string[]): Promise<unknown[]> {
  const body = { namespace_prefix: [recordLabel, ...namespace] };
  return (await world.ask<{ items: unknown[] }>("POST", "/store/items/search", body)).items;
}

test.each([
  ["storeItems", (value: object) => ({ items: { x: value, z: { n: value } } })],
  ["storeItem", (value: object) => ({ key: "x", value })],
] as const)("restores the record of %s after a rename that is interrupted and reverted", async (kind, of) => {
  const namespace = [randomUUID()];
  const wanted = (change: object) => located({ namespace, ...change });
  const name = randomUUID();
  const first = declared(kind, name);
  await first.up(wanted(of({ n: 1 })));
  const next = renamed(kind, first, `next-${name}`);
  expect(await next.up(wanted(of({ n: 2 })))).toMatchObject({ step: "update" });
  first.host = world.host(kind);
  expect(await first.up(wanted(of({ n: 1 })))).toMatchObject({ step: "same" });
  expect(await first.up(wanted(of({ n: 3 })))).toEqual({ step: "update", checkFailures: [] });
  const newcomer = declared("storeItems", `next-${name}`);
  await newcomer.up(wanted({ items: { y: { n: 1 } } }));
  const path = `/store/items?namespace=${namespace[0]}&key=x`;
  expect(await world.ask("GET", path)).toMatchObject({ value: { n: 3 } });
  expect(await recordsIn(namespace)).toHaveLength(2);
  await newcomer.destroy();
  await first.destroy();
  expect(await world.ask("GET", path).catch(() => null)).toBeNull();
  expect(await recordsIn(namespace)).toEqual([]);
});

test("keeps unchanged items in the record after a rename that is interrupted and reverted", async () => {
  const namespace = [randomUUID()];
  const wanted = (items: object) => located({ namespace, items });
  const name = randomUUID();
  const first = declared("storeItems", name);
  await first.up(wanted({ x: { n: 1 } }));
  const next = renamed("storeItems", first, `next-${name}`);
  expect(await next.up(wanted({ x: { n: 1 } }))).toMatchObject({ step: "update" });
  first.host = world.host("storeItems");
  expect(await first.up(wanted({ x: { n: 1 }, z: { n: 1 } }))).toMatchObject({ step: "update" });
  const newcomer = declared("storeItems", `next-${name}`);
  await newcomer.up(wanted({ y: { n: 1 } }));
  const path = `/store/items?namespace=${namespace[0]}&key=x`;
  expect(await world.ask("GET", path)).toMatchObject({ value: { n: 1 } });
  await newcomer.destroy();
  await first.destroy();
});

test("leaves the record of store items to another stack that has a copy of the state", async () => {
  const namespace = [randomUUID()];
  const wanted = located({ namespace, items: { x: { n: 1 } } });
  const name = randomUUID();
  const first = declared("storeItems", name);
  await first.up(wanted);
  const { id, inputs, outputs } = first;
  const copy = Object.assign(world.stack("storeItems", name, "prod"), { id, inputs, outputs });
  expect(await copy.up(wanted)).toMatchObject({ step: "update" });
  first.host = world.host("storeItems");
  expect(await first.up({ ...wanted, ttl: 60 })).toMatchObject({ step: "update" });
  expect(await recordsIn(namespace)).toHaveLength(2);
  await copy.destroy();
});

test("rejects chained renames of crons, which would delete one as a duplicate of the other", async () => {
  const name = randomUUID();
  const [a, b] = [declared("cron", `a-${name}`), declared("cron", `b-${name}`)];
  await a.up(cron(9));
  await b.up(cron(10));
  const host = world.host("cron");
  const [second, third] = [renamed("cron", a, `b-${name}`, host), renamed("cron", b, `c-${name}`, host)];
  await second.check(cron(9));
  expect((await third.check(cron(10))).failures).toHaveLength(1);
  third.host = world.host("cron");
  expect(await third.up(cron(10))).toMatchObject({ step: "update" });
  second.host = world.host("cron");
  expect(await second.up(cron(9))).toMatchObject({ step: "update" });
  expect(await world.ask("POST", "/runs/crons/count", {})).toBe(2);
  await second.destroy();
  await third.destroy();
});
