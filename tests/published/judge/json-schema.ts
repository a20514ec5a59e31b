import { bounds, type Facts, type Field, type Shape } from "../../../tools/published-facts/facts";
import { resolved } from "./differences";

/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

/** How facts are turned into a schema. */
export interface SchemaOptions {
  schemas: Facts["schemas"];
  /** Whether an object may have only the fields that are listed for it. */
  closed: boolean;
}

/** The JSON Schema of a shape; shapes that it names stand in `$defs`. */
export function jsonSchemaOf(shape: Shape, options: SchemaOptions): JsonSchema {
  const $defs = Object.fromEntries(
    Object.entries(options.schemas).map(([name, one]) => [name, schemaOf(one, options)]),
  );
  return { ...schemaOf(shape, options), $defs };
}

const sameWords = ["format", "enum", ...bounds] as const;

function schemaOf(shape: Shape, options: SchemaOptions): JsonSchema {
  const schema = withoutNull(shape, options);
  if (!shape.nullable) return schema;
  const { type, enum: values } = shape;
  if (!type) return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [type, "null"], ...(values && { enum: [...values, null] }) };
}

function withoutNull(shape: Shape, options: SchemaOptions): JsonSchema {
  if (shape.schema !== undefined) return { $ref: `#/$defs/${shape.schema}` };
  // Put together first: each part would refuse the fields of the others.
  if (shape.allOf) return withoutNull(resolved({ shape, schemas: options.schemas }), options);
  if (shape.oneOf) return { anyOf: shape.oneOf.map((choice) => schemaOf(choice, options)) };
  const { type, items, fields, oneGroupOf } = shape;
  return {
    ...(type && { type }),
    ...Object.fromEntries(
      sameWords.flatMap((word) => (shape[word] === undefined ? [] : [[word, shape[word]]])),
    ),
    ...(items && { items: schemaOf(items, options) }),
    ...(fields && objectOf(fields, options)),
    ...valuesOf(shape, options),
    ...(oneGroupOf && { anyOf: oneGroupOf.map((required) => ({ required })) }),
  };
}

function objectOf(fields: Record<string, Field>, options: SchemaOptions): JsonSchema {
  return {
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, schemaOf(field, options)]),
    ),
    required: Object.keys(fields).filter((name) => fields[name]!.required),
  };
}

function valuesOf({ fields, values }: Shape, options: SchemaOptions): JsonSchema {
  if (values) return { additionalProperties: schemaOf(values, options) };
  return fields && options.closed ? { additionalProperties: false } : {};
}
