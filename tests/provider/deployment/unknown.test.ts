import { unknownValue as pulumiUnknown } from "@pulumi/pulumi/runtime";
import { hasUnknown, isUnknownAt, unknownValue } from "../../../provider/deployment/unknown";

test("the text is the engine's own", () => {
  expect(unknownValue).toBe(pulumiUnknown);
});

test("an unknown value is found at any depth", () => {
  expect(hasUnknown({ a: [{ b: unknownValue }] })).toBe(true);
  expect(hasUnknown({ a: [{ b: null, c: "x" }] })).toBe(false);
});

test("a path through an unknown group leads to something unknown", () => {
  const inputs = { sourceConfig: unknownValue, secrets: { A: unknownValue, B: "x" } };
  expect(isUnknownAt(inputs, ["sourceConfig", "repoUrl"])).toBe(true);
  expect(isUnknownAt(inputs, ["secrets", "A"])).toBe(true);
  expect(isUnknownAt(inputs, ["secrets", "B"])).toBe(false);
  expect(isUnknownAt(inputs, ["name"])).toBe(false);
});
