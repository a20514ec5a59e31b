import type { DocumentSchema } from "./document";
import { bounds, type Field, type Shape } from "./facts";

/** Converts a schema to a shape. */
export function shapeOf(schema: DocumentSchema): Shape {
  const inferred = schema["x-inferred"] === undefined ? {} : { inferred: true as const };
  const fallback = schema.default === undefined ? {} : { default: schema.default };
  return { ...withoutNull(schema), ...fallback, ...inferred };
}

/** Converts schemas to fields, and sorts the fields by name. */
function toFields(schemas: Record<string, DocumentSchema>, required: string[] = []): Record<string, Field> {
  return sorted(
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        { ...shapeOf(schema), ...(required.includes(name) && { required: true as const }) },
      ]),
    ),
  );
}

/** Sorts the entries by name. */
export function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Converts a schema to a shape. If null is allowed, sets `nullable`, regardless of how the document specifies it. */
function withoutNull(schema: DocumentSchema): Shape {
  const types = typesOf(schema);
  const choices = schema.anyOf ?? schema.oneOf;
  const alternatives = choices?.filter((choice) => choice.type !== "null");
  const nullable =
    schema.nullable === true ||
    types.includes("null") ||
    enumValues(schema)?.includes(null) ||
    (alternatives?.length ?? 0) < (choices?.length ?? 0);
  return {
    ...plainShape(
      schema,
      types.filter((type) => type !== "null"),
      alternatives,
    ),
    ...(nullable && { nullable }),
  };
}

function plainShape(
  schema: DocumentSchema,
  types: string[],
  alternatives: DocumentSchema[] | undefined,
): Shape {
  if (schema.$ref) return { schema: schemaName(schema.$ref) };
  if (schema.allOf) return { allOf: schema.allOf.map(shapeOf) };
  const groups = alternatives?.map(({ required, type }) => (type === undefined ? required : undefined));
  if (schema.properties && groups?.every((group) => group !== undefined))
    return { ...toTypedShape(schema, "object"), oneGroupOf: groups };
  if (alternatives) return oneOf(alternatives.map(shapeOf));
  if (types.length > 1) return oneOf(types.map((type) => toTypedShape(schema, type)));
  return toTypedShape(schema, types[0]);
}

function toTypedShape(schema: DocumentSchema, type: string | undefined): Shape {
  const choices = enumValues(schema)?.filter((choice) => choice !== null);
  return {
    ...(type !== undefined && { type: type as NonNullable<Shape["type"]> }),
    ...(schema.format !== undefined && { format: schema.format }),
    ...(choices && { enum: choices.map((choice) => choice as string).sort() }),
    ...Object.fromEntries(
      bounds.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])),
    ),
    ...(schema.items && Object.keys(schema.items).length > 0 && { items: shapeOf(schema.items) }),
    ...(schema.properties && { fields: toFields(schema.properties, schema.required) }),
    ...toValues(schema),
  };
}

function enumValues(schema: DocumentSchema): unknown[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

/** Converts `additionalProperties`. An object without any fields allows all fields. */
function toValues({ additionalProperties: values, properties }: DocumentSchema): Shape {
  if (typeof values === "object" && Object.keys(values).length > 0) return { values: shapeOf(values) };
  return properties && values === true ? { values: {} } : {};
}

function oneOf(shapes: Shape[]): Shape {
  return shapes.length === 1 ? shapes[0]! : { oneOf: shapes };
}

function typesOf({ type }: DocumentSchema): string[] {
  return type === undefined ? [] : Array.isArray(type) ? type : [type];
}

function schemaName(reference: string): string {
  return reference.split("/").at(-1)!;
}
