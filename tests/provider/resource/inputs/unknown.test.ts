import { unknownValue } from "@pulumi/pulumi/runtime";
import { withUnknowns } from "../../../../provider/engine/sentinels";
import { hasUnknown, isUnknownAt, notKnownYet } from "../../../../provider/resource/inputs/unknown";

test("an unknown value is found at any depth", () => {
  expect(hasUnknown({ a: [{ b: notKnownYet }] })).toBe(true);
  expect(hasUnknown({ a: [{ b: null, c: "x" }] })).toBe(false);
});

test("a path through an unknown group leads to something unknown", () => {
  const inputs = { sourceConfig: notKnownYet, secrets: { A: notKnownYet, B: "x" } };
  expect(isUnknownAt(inputs, ["sourceConfig", "repoUrl"])).toBe(true);
  expect(isUnknownAt(inputs, ["secrets", "A"])).toBe(true);
  expect(isUnknownAt(inputs, ["secrets", "B"])).toBe(false);
  expect(isUnknownAt(inputs, ["name"])).toBe(false);
});

test("the engine's own text for what is not known yet is read, at any depth", () => {
  const holdsItself: Record<string, unknown> = { a: [unknownValue, "x"] };
  holdsItself["self"] = holdsItself;
  const read = withUnknowns(holdsItself);
  expect(read["a"]).toEqual([notKnownYet, "x"]);
  expect(read["self"]).toBe(read);
  expect(withUnknowns(unknownValue)).toBe(notKnownYet);
});

test("what is known stays as it is", () => {
  const known = { a: [{ b: null }] };
  expect(withUnknowns(known)).toBe(known);
});
