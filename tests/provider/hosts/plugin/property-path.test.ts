import { keysOf, propertyPath } from "../../../../provider/hosts/plugin/property-path";
import { valueOf } from "../../../../provider/resource/inputs/values";

test.each([
  ["sourceRevisionConfig.repoRef", {}, "sourceRevisionConfig.repoRef"],
  [
    "metadata.app.example.com/team",
    { metadata: { "app.example.com/team": 1 } },
    'metadata["app.example.com/team"]',
  ],
  ["metadata.a.b", { metadata: { "a.b": 1 } }, 'metadata["a.b"]'],
  ["config.a.b", { config: { a: { b: 1 } } }, "config.a.b"],
  ['metadata.say "hi"', { metadata: { 'say "hi"': 1 } }, 'metadata["say \\"hi\\""]'],
  ["metadata.C:\\temp", { metadata: { "C:\\temp": 1 } }, 'metadata["C:\\temp"]'],
  ["metadata.a\\.b", { metadata: { "a\\": { b: 1 } } }, "metadata"],
])("formats the path %s in the engine's notation", (path, values, expected) => {
  expect(propertyPath(keysOf(path, undefined, values))).toBe(expected);
});

test("finds the value at keys that contain dots", () => {
  const values = { metadata: { "a.b": "found" } };
  expect(valueOf(values, keysOf("metadata.a.b", values, undefined))).toBe("found");
  expect(valueOf(values, ["metadata", "constructor"])).toBeUndefined();
});

test.each([
  [{ a: { b: 1 }, "a.b": 3 }, ["metadata", "a.b"]],
  [{ a: { b: 3 }, "a.b": 2 }, ["metadata", "a", "b"]],
])("distinguishes a key that contains a dot from nested keys (%#)", (after, expected) => {
  const before = { metadata: { a: { b: 1 }, "a.b": 2 } };
  expect(keysOf("metadata.a.b", { metadata: after }, before)).toEqual(expected);
});
