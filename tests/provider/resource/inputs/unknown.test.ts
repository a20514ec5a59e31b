import { unknownValue } from "@pulumi/pulumi/runtime";
import { withUnknowns } from "../../../../provider/engine/sentinels";
import { hasUnknown, isUnknownAt, notKnownYet } from "../../../../provider/resource/inputs/unknown";

test("finds an unknown value at any depth", () => {
  expect(hasUnknown({ a: [{ b: notKnownYet }] })).toBe(true);
  expect(hasUnknown({ a: [{ b: null, c: "x" }] })).toBe(false);
});

test("treats a path through an unknown group as unknown", () => {
  const inputs = { sourceConfig: notKnownYet, secrets: { A: notKnownYet, B: "x" } };
  expect(isUnknownAt(inputs, ["sourceConfig", "repoUrl"])).toBe(true);
  expect(isUnknownAt(inputs, ["secrets", "A"])).toBe(true);
  expect(isUnknownAt(inputs, ["secrets", "B"])).toBe(false);
  expect(isUnknownAt(inputs, ["name"])).toBe(false);
});

test("recognizes the engine's placeholder for unknown values at any depth", () => {
  const holdsItself: Record<string, unknown> = { a: [unknownValue, "x"] };
  holdsItself["self"] = holdsItself;
  const read = withUnknowns(holdsItself);
  expect(read["a"]).toEqual([notKnownYet, "x"]);
  expect(read["self"]).toBe(read);
  expect(withUnknowns(unknownValue)).toBe(notKnownYet);
});

test("returns known values unchanged", () => {
  const known = { a: [{ b: null }] };
  expect(withUnknowns(known)).toBe(known);
});
