import { schemaMismatch, schemaProblem } from "../../../provider/evaluation/json-schema";

test.each([
  ["open tuples", { type: "array", prefixItems: [{ type: "string" }] }],
  [
    "properties that also match a pattern",
    { type: "object", properties: { ab: {} }, patternProperties: { "^a": {} } },
  ],
  ["a condition without a consequence", { if: { type: "string" } }],
])("accepts %s", (_, schema) => {
  expect(schemaProblem(schema)).toBeUndefined();
});

test.each([
  ["unknown keywords", { kind: "string" }, 'unknown keyword: "kind"'],
  ["asynchronous schemas", { $async: true, type: "string" }, "$async is not supported"],
])("rejects %s", (_, schema, problem) => {
  expect(schemaProblem(schema)).toContain(problem);
});

test("supports equal schemas in different cases, and schemas that share an ID", () => {
  const first = { $id: "urn:example:one", type: "string" };
  const second = { $id: "urn:example:one", type: "number" };
  for (const schema of [first, { ...first }, second]) expect(schemaProblem(schema)).toBeUndefined();
  expect(schemaMismatch({ ...first }, "text")).toBeUndefined();
  expect(schemaMismatch({ ...first }, 1)).toBe("the answer must be string");
  expect(schemaMismatch(second, 1)).toBeUndefined();
});
