import { fc } from "../../properties";
import { smallerAndSmaller, withOmitted } from "../../../provider/resource/omitted";
import type { ManagedState } from "../../../provider/resource/managed";

const kind = {
  outputs: ["output", "kept", "ownerId", "schemaVersion", "omitted"],
  omittable: { "config.large": undefined, config: {} },
  restorableOutputs: ["output"],
};
const base = { ownerId: "me", schemaVersion: 1 };
const sizeOf = (value: unknown) => JSON.stringify(value).length;

function smallest(state: Record<string, unknown>): ManagedState & Record<string, unknown> {
  return [...smallerAndSmaller(kind, { ...base, ...state })].at(-1)!;
}

const value = fc.oneof(
  fc.string({ maxLength: 3_000 }),
  fc.dictionary(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 500 }), { maxKeys: 20 }),
);
const inputs = fc.record(
  {
    name: fc.string({ maxLength: 20 }),
    text: value,
    map: value,
    config: fc.record({ large: value, small: value }),
  },
  { requiredKeys: ["name"] },
);

test("omits the largest inputs until every part is small, and restores them exactly", () => {
  fc.assert(
    fc.property(inputs, (given) => {
      const state = smallest(given);
      for (const [name, part] of Object.entries(state))
        if (name !== "omitted" && part !== undefined) expect(sizeOf(part)).toBeLessThan(1_500);
      expect(withOmitted(kind, state, given)).toEqual({
        ...base,
        ...given,
        ...(state.omitted && { omitted: {} }),
      });
    }),
  );
});

test("omits one input at a time, but no small inputs", () => {
  const state = { ...base, name: "a", text: "x".repeat(1_000), map: { key: "y".repeat(2_000) }, output: "z" };
  const forms = [...smallerAndSmaller<ManagedState>(kind, state)].map(({ omitted = {} }) =>
    Object.keys(omitted),
  );
  expect(forms).toEqual([[], ["map"], ["map", "text"], ["map", "text"], ["map", "text"]]);
  expect(smallest(state)).toMatchObject({ name: "a", text: undefined, map: undefined, output: undefined });
});

test("omits the large part of an input, and keeps the rest", () => {
  const large = "x".repeat(1_000);
  const state = smallest({ config: { large, small: "s" } });
  expect(state["config"]).toEqual({ small: "s" });
  expect(withOmitted(kind, state, { config: { large, small: "s" } })["config" as never]).toEqual({
    large,
    small: "s",
  });
});

test("omits only large outputs", () => {
  expect(smallest({ kept: "x".repeat(1_000) })).toEqual({ ...base, kept: undefined, output: undefined });
  expect(smallest({ kept: "x" })).toMatchObject({ kept: "x" });
});

test("does not restore a value that has changed", () => {
  const text = "x".repeat(1_000);
  const state = smallest({ text });
  expect(withOmitted(kind, state, { text: "other" })["text" as never]).toBeUndefined();
  expect(withOmitted(kind, state, {})["text" as never]).toBeUndefined();
});

test("does not restore a value that a refresh found to be changed", () => {
  const text = "x".repeat(1_000);
  const state = { ...smallest({ text, config: { small: text } }), text: "theirs", config: { other: 1 } };
  expect(withOmitted(kind, state, { text, config: { small: text } })).toMatchObject({
    text: "theirs",
    config: { other: 1, small: text },
  });
});
