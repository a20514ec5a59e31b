import {
  hasMessages,
  inputFields,
  inputValue,
} from "../../../../emulator/page/client/playground/agent/input-fields";

const schema = {
  $ref: "#/definitions/Input",
  definitions: {
    Style: { enum: ["short", "long"], default: "long" },
    Input: {
      type: "object",
      required: ["topic"],
      properties: {
        topic: { type: "string", title: "Topic", description: "Subject of the report" },
        pages: { anyOf: [{ type: "integer" }, { type: "null" }], default: 3 },
        draft: { type: ["boolean", "null"] },
        style: { $ref: "#/definitions/Style" },
        tags: { type: "array", items: { type: "string" } },
      },
    },
  },
};

test("returns the fields of a schema, and resolves references and nullable types", () => {
  expect(
    inputFields(schema).map(({ key, kind, isRequired, initial }) => [key, kind, isRequired, initial]),
  ).toEqual([
    ["topic", "text", true, ""],
    ["pages", "number", false, "3"],
    ["draft", "boolean", false, ""],
    ["style", "choice", false, '"long"'],
    ["tags", "json", false, ""],
  ]);
});

test("converts the texts in a form to a value, and omits empty fields", () => {
  const texts = { "/topic": "12", "/pages": "7", "/draft": "false", "/style": '"short"', "/tags": '["a"]' };
  expect(inputValue(inputFields(schema), texts)).toEqual({
    topic: "12",
    pages: 7,
    draft: false,
    style: "short",
    tags: ["a"],
  });
  expect(inputValue(inputFields(schema), { "/topic": "", "/pages": "" })).toEqual({});
});

test("includes the field that contains invalid JSON in the error", () => {
  expect(() => inputValue(inputFields(schema), { "/tags": "[a" })).toThrow(/^tags: /);
});

test("treats a schema without properties as one field", () => {
  const fields = inputFields({ type: "string" });
  expect(fields).toMatchObject([{ title: "Input", kind: "text", isRequired: true }]);
  // Browsers do not submit fields without a name.
  expect(fields[0]!.name).not.toBe("");
  expect(inputValue(fields, { [fields[0]!.name]: "yes" })).toBe("yes");
});

test("stops at recursive references", () => {
  expect(inputFields({ $ref: "#/a", ...{ a: { $ref: "#/a" } } })).toMatchObject([{ kind: "json" }]);
});

test("recognizes the schemas of graphs with messages", () => {
  expect(hasMessages({ properties: { messages: { type: "array" } } })).toBe(true);
  expect(hasMessages(schema)).toBe(false);
  expect(hasMessages(undefined)).toBe(false);
});

const nested = {
  required: ["author"],
  properties: {
    author: {
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" }, age: { type: "integer" } },
    },
    address: { type: "object", required: ["city"], properties: { city: { type: "string" } } },
    level: { oneOf: [{ const: "low" }, { enum: ["high", null] }, { type: "null" }] },
    other: { anyOf: [{ type: "string" }, { type: "number" }] },
    free: { type: "object", additionalProperties: true },
  },
};

test("returns a group for a nested object, and a choice for alternative constants", () => {
  const [author, address, level, other, free] = inputFields(nested);
  expect(author).toMatchObject({ kind: "group", isRequired: true, title: "author" });
  expect(author!.fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["/author/name", true],
    ["/author/age", false],
  ]);
  // A form must not require fields of an optional object.
  expect(address!.fields).toMatchObject([{ name: "/address/city", isRequired: false }]);
  expect(level).toMatchObject({ kind: "choice", choices: ['"low"', '"high"'] });
  expect([other!.kind, free!.kind]).toEqual(["json", "json"]);
});

test("converts nested values, and omits empty optional objects", () => {
  const fields = inputFields(nested);
  expect(inputValue(fields, { "/author/age": "7", "/level": '"low"' })).toEqual({
    author: { age: 7 },
    level: "low",
  });
  expect(inputValue(fields, {})).toEqual({ author: {} });
});

test("returns the fields of recursive objects up to a limited depth", () => {
  const tree = { $ref: "#/$defs/Tree", $defs: { Tree: { properties: { child: { $ref: "#/$defs/Tree" } } } } };
  let [field] = inputFields(tree);
  let depth = 1;
  for (; field!.kind === "group"; [field] = field!.fields) depth += 1;
  expect(depth).toBe(4);
  expect(field!.kind).toBe("json");
});

test("returns no fields for an object without properties, and one field for an empty schema", () => {
  expect(inputFields({ type: "object", properties: {} })).toEqual([]);
  expect(inputValue([], {})).toEqual({});
  expect(inputFields({}, "Answer")).toMatchObject([{ kind: "json", title: "Answer" }]);
});
