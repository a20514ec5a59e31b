import type { ApiDocument } from "../../../tools/published-facts/document";
import { extractFacts } from "../../../tools/published-facts/extract";
import { factsText } from "../../../tools/published-facts/text";

/** Word that occurs only in prose. */
const prose = "verbatim";

const document = {
  openapi: "3.1.0",
  info: { title: prose, description: prose },
  paths: {
    "/pets/{pet_id}": {
      description: prose,
      patch: {
        summary: prose,
        description: prose,
        operationId: prose,
        "x-inferred": prose,
        parameters: [
          { name: "pet_id", in: "path", required: true, description: prose, schema: { type: "string" } },
          {
            name: "limit",
            in: "query",
            schema: { type: "integer", maximum: 100, default: 20, title: prose },
          },
        ],
        requestBody: {
          description: prose,
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" }, example: prose } },
        },
        responses: {
          200: {
            description: prose,
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
            headers: { "X-Total": { description: prose } },
          },
          404: { $ref: "#/components/responses/Missing" },
        },
      },
    },
  },
  components: {
    responses: { Missing: { description: prose, content: { "application/json": {} } } },
    schemas: {
      Pet: {
        title: prose,
        description: prose,
        examples: [prose],
        type: "object",
        required: ["title"],
        properties: {
          title: { type: "string", minLength: 1, description: prose },
          kind: { anyOf: [{ enum: ["dog", "cat"], type: "string" }, { type: "null" }], title: prose },
          size: { type: "string", enum: ["small", "large", null] },
          age: { type: ["integer", "null"] },
          nick: { type: "string", nullable: true },
          said: { type: "string", "x-inferred": prose },
          friends: { type: "array", items: { $ref: "#/components/schemas/Pet" } },
          words: { type: "object", additionalProperties: { type: "string" } },
          food: { oneOf: [{ type: "string", const: "meat" }, { type: "integer" }] },
        },
      },
      Search: {
        type: "object",
        properties: { name: { type: "string" }, age: { type: "integer" } },
        oneOf: [{ required: ["name"] }, { required: ["age"] }],
      },
      Dog: {
        allOf: [
          { $ref: "#/components/schemas/Pet" },
          { type: "object", properties: {}, additionalProperties: true },
        ],
      },
    },
  },
} as unknown as ApiDocument;

test("extracts all facts in a normalized form", () => {
  expect(extractFacts(document)).toEqual({
    operations: {
      "PATCH /pets/{pet_id}": {
        inferred: true,
        parameters: [
          { in: "path", name: "pet_id", type: "string", required: true },
          { in: "query", name: "limit", type: "integer", maximum: 100, default: 20 },
        ],
        body: { schema: "Pet", required: true },
        answers: {
          200: { content: { "application/json": { schema: "Pet" } }, headers: ["X-Total"] },
          404: { content: { "application/json": {} } },
        },
      },
    },
    schemas: {
      Pet: {
        type: "object",
        fields: {
          title: { type: "string", minLength: 1, required: true },
          kind: { type: "string", enum: ["cat", "dog"], nullable: true },
          size: { type: "string", enum: ["large", "small"], nullable: true },
          age: { type: "integer", nullable: true },
          nick: { type: "string", nullable: true },
          said: { type: "string", inferred: true },
          friends: { type: "array", items: { schema: "Pet" } },
          words: { type: "object", values: { type: "string" } },
          food: { oneOf: [{ type: "string", enum: ["meat"] }, { type: "integer" }] },
        },
      },
      Search: {
        type: "object",
        fields: { name: { type: "string" }, age: { type: "integer" } },
        oneGroupOf: [["name"], ["age"]],
      },
      Dog: { allOf: [{ schema: "Pet" }, { type: "object", fields: {}, values: {} }] },
    },
  });
});

test("omits descriptions and other prose", () => {
  expect(JSON.stringify(document)).toContain(prose);
  expect(factsText(extractFacts(document))).not.toContain(prose);
});

test("formats the facts as sorted JSON with one field, parameter, or response per line", () => {
  const text = factsText(extractFacts(document));
  expect(JSON.parse(text)).toEqual(extractFacts(document));
  const lines = text.split("\n").map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      '"age": {"type":"integer","nullable":true},',
      '{"in":"query","name":"limit","type":"integer","maximum":100,"default":20}',
      '"404": {"content":{"application/json":{}}}',
    ]),
  );
  expect(lines.findIndex((line) => line.startsWith('"age"'))).toBeLessThan(
    lines.findIndex((line) => line.startsWith('"food"')),
  );
});
