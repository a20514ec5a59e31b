import { fc } from "../../properties";
import { readJson } from "../../json";
import { interfaceDialect } from "../../../provider/control-plane/dialects";
import { checkInputs } from "../../../provider/deployment/rules/check";
import type { Props } from "../../../provider/resource/inputs/values";
import { agent, canary, World } from "../../provider/world";

const check = (change: Props) => checkInputs({ ...agent(), ...change }, interfaceDialect);
const spec = (resourceSpec: unknown) => ({ sourceConfig: { ...agent().sourceConfig, resourceSpec } });

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const cyclic: Props = { a: 1 };
cyclic["self"] = cyclic;

test.each<[string, Props, string, string]>([
  ["NaN", spec({ x: Number.NaN }), "sourceConfig.resourceSpec.x", "must be a finite number"],
  ["Infinity", spec({ x: [1, -Infinity] }), "sourceConfig.resourceSpec.x.1", "must be a finite number"],
  ["a cycle", spec({ x: cyclic }), "sourceConfig.resourceSpec.x.self", "must not contain itself"],
  ["a bigint", spec({ x: 1n }), "sourceConfig.resourceSpec.x", "must be a value that JSON can represent"],
  [
    "an unpaired surrogate",
    spec({ x: "\ud800" }),
    "sourceConfig.resourceSpec.x",
    "must not contain an unpaired surrogate",
  ],
  [
    "an unpaired surrogate in a secret",
    { secrets: { A: `${canary}\udfff` } },
    "secrets.A",
    "must not contain an unpaired surrogate",
  ],
  [
    "a key that cannot be passed to the provider",
    spec({ x: readJson('{"__proto__":1}') }),
    "sourceConfig.resourceSpec.x.__proto__",
    "cannot be passed to the provider",
  ],
  [
    "a character that overrides the text direction",
    { name: "agent\u202etxt.exe" },
    "name",
    "must not contain invisible or bidirectional",
  ],
  [
    "a zero-width space",
    { sourceRevisionConfig: { repoRef: "v\u200b1" } },
    "sourceRevisionConfig.repoRef",
    "must not contain invisible",
  ],
  [
    "an invisible character in a command",
    { sourceConfig: { buildCommand: "make \u2066#" } },
    "sourceConfig.buildCommand",
    "must not contain invisible",
  ],
  ["an unpaired surrogate in a name", { name: "a\ud800" }, "name", "must not contain an unpaired surrogate"],
  ["a terminal escape sequence", { name: "a\u001b[2J" }, "name", "must not contain control characters"],
  [
    "a secret of 10 MB",
    { secrets: { A: canary.padEnd(10_000_000, "x") } },
    "secrets.A",
    "Linux accepts an environment variable of at most 128 KiB, including its name",
  ],
  [
    "8 MB of secrets",
    {
      secrets: Object.fromEntries(
        Array.from({ length: 80 }, (_, n) => [`S${n}`, canary.padEnd(100_000, "x")]),
      ),
    },
    "secrets",
    "Linux limits the environment to 6 MiB in total",
  ],
  [
    "a trigger that is NaN",
    { rollout: { triggers: [Number.NaN] } },
    "rollout.triggers.0",
    "must be a finite number",
  ],
])("fails the check for %s", (_what, change, property, reason) => {
  const failures = check(change);
  expect(failures).toHaveLength(1);
  expect(failures[0]!.property).toBe(property);
  expect(failures[0]!.reason).toContain(reason);
  expect(JSON.stringify(failures)).not.toContain(canary);
});

test("fails the check for values nested 100,000 deep, but not 60 deep", () => {
  expect(check(spec({ x: nested(60) }))).toEqual([]);
  expect(check(spec({ x: nested(100_000) }))[0]!.reason).toContain(
    "must not be nested more than 64 levels deep",
  );
});

test.each(["Поддержка", "サポート", "الدعم", "תמיכה", "สนับสนุน", "समर्थन", "👩‍👩‍👧 agents", "می‌خواهم"])(
  "accepts the name %s",
  async (name) => {
    const world = await World.start();
    const stack = world.stack();
    expect((await stack.up(agent({ name }))).step).toBe("create");
    expect((await stack.up(agent({ name }))).step).toBe("same");
  },
);

test("keeps secrets and keys that have the names of built-in object members", async () => {
  const world = await World.start();
  const stack = world.stack();
  const odd = { constructor: `${canary}-1`, toString: `${canary}-2`, hasOwnProperty: `${canary}-3` };
  const wanted = agent({
    secrets: odd as unknown as Record<string, string>,
    sourceConfig: { ...agent().sourceConfig, resourceSpec: { constructor: 1, toString: { valueOf: 2 } } },
  });
  const { step, checkFailures } = await stack.up(wanted);
  expect([step, checkFailures]).toEqual(["create", []]);
  expect(await world.record(stack)).toMatchObject({
    source_config: { resource_spec: { constructor: 1, toString: { valueOf: 2 } } },
    secrets: expect.arrayContaining(Object.entries(odd).map(([name, value]) => ({ name, value }))),
  });
  expect((await stack.up(wanted)).step).toBe("same");
});

test("accepts a secret of the maximum length together with 10,000 others", async () => {
  const world = await World.start();
  const stack = world.stack();
  const secrets = {
    LONGEST: canary.padEnd(128 * 1024 - "LONGEST".length - 2, "x"),
    ...Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`S${n}`, `${canary}-${n}`])),
  };
  expect((await stack.up(agent({ secrets }))).step).toBe("create");
  expect((await stack.up(agent({ secrets }))).step).toBe("same");
});

test("checks any inputs without throwing", () => {
  fc.assert(
    fc.property(
      fc.object({ maxDepth: 4, withBigInt: true, withNullPrototype: true }),
      fc.anything(),
      (some, any) => {
        for (const change of [some, { sourceConfig: some }, { secrets: any }, spec(any), { rollout: any }])
          for (const { reason } of check(change)) expect(reason.trim()).not.toBe("");
      },
    ),
  );
});
