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

test("describes the fields of a schema, with references and nullable types", () => {
  expect(
    inputFields(schema).map(({ name, kind, isRequired, initial }) => [name, kind, isRequired, initial]),
  ).toEqual([
    ["topic", "text", true, ""],
    ["pages", "number", false, "3"],
    ["draft", "boolean", false, ""],
    ["style", "choice", false, '"long"'],
    ["tags", "json", false, ""],
  ]);
});

test("returns the value of a form, without empty fields", () => {
  const texts = { topic: "12", pages: "7", draft: "false", style: '"short"', tags: '["a"]' };
  expect(inputValue(inputFields(schema), texts)).toEqual({
    topic: "12",
    pages: 7,
    draft: false,
    style: "short",
    tags: ["a"],
  });
  expect(inputValue(inputFields(schema), { topic: "", pages: "" })).toEqual({});
});

test("names the field that contains invalid JSON", () => {
  expect(() => inputValue(inputFields(schema), { tags: "[a" })).toThrow(/^tags: /);
});

test("treats a schema without properties as one field", () => {
  const fields = inputFields({ type: "string" });
  expect(fields).toMatchObject([{ title: "Input", kind: "text", isRequired: true }]);
  expect(inputValue(fields, { "": "yes" })).toBe("yes");
});

test("stops at recursive references", () => {
  expect(inputFields({ $ref: "#/a", ...{ a: { $ref: "#/a" } } })).toMatchObject([{ kind: "json" }]);
});

test("recognizes graphs with messages", () => {
  expect(hasMessages({ properties: { messages: { type: "array" } } })).toBe(true);
  expect(hasMessages(schema)).toBe(false);
  expect(hasMessages(undefined)).toBe(false);
});
