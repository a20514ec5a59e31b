import { bounds, type Facts, type Field, type Shape } from "../../../tools/published-facts/facts";
import { resolved } from "./differences";

export type JsonSchema = Record<string, unknown>;

/** Options for converting a shape to a JSON Schema. */
export interface SchemaOptions {
  schemas: Facts["schemas"];
  /** True if objects may contain only the listed fields. */
  closed: boolean;
}

/** Converts a shape to a JSON Schema. Referenced shapes are in `$defs`. */
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
  // Merged first, because each part would reject the fields of the others.
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
