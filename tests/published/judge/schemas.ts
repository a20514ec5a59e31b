import { z } from "zod";
import type { DocumentSchema } from "../../../tools/published-facts/document";
import type { Facts, Shape } from "../../../tools/published-facts/facts";
import { shapeOf } from "../../../tools/published-facts/shapes";
import { resolved } from "./differences";
import { sampleOf } from "./samples";

/** A schema in a document. */
export type Place = readonly [facts: Facts, schema: string];

/** Returns the zod schemas that a module exports. */
export function schemasAmong(module: Record<string, unknown>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(module).flatMap(([name, value]) => (value instanceof z.ZodType ? [[name, value]] : [])),
  );
}

/**
 * Returns the differences between a schema and the documents: fields, types, keywords, and published values that it
 * rejects.
 */
export function schemaFindings(name: string, schema: z.ZodType, among: readonly Place[]): string[] {
  return [
    ...fieldFindings(name, schema, among),
    ...among.flatMap((place) => valueFindings(name, schema, place)),
  ];
}

function fieldFindings(name: string, schema: z.ZodType, among: readonly Place[]): string[] {
  const known = among.map(([{ schemas: named }, place]) => fieldsOf({ schema: place }, named));
  return [...fieldsOf(shapeOfSchema(schema), {})].flatMap(([path, shape]) => {
    const at = `${name} ${path}`;
    const there = known.flatMap((fields) => fields.get(path) ?? []);
    if (there.length === 0) return [`${at}: not published`];
    const [type, types] = [typeOf(shape), there.map(typeOf)];
    const words = there.map((one) => JSON.stringify(one.enum));
    return [
      ...(type && types.every(Boolean) && !types.includes(type)
        ? [`${at}: ${type}, not ${types.join(" or ")}`]
        : []),
      ...(shape.enum && !words.includes(JSON.stringify(shape.enum))
        ? [`${at}: ${shape.enum.join(", ")}`]
        : []),
    ];
  });
}

function valueFindings(name: string, schema: z.ZodType, [{ schemas: named }, place]: Place): string[] {
  return (["most", "least"] as const).flatMap((measure) => {
    const sample = sampleOf({ shape: { schema: place }, schemas: named }, measure);
    const { data, success } = schema.safeParse(sample);
    // Unknown fields are removed; known fields are unchanged.
    return success && isPartOf(data, sample) ? [] : [`${name}: ${measure} of ${place}`];
  });
}

function shapeOfSchema(schema: z.ZodType): Shape {
  return shapeOf(
    z.toJSONSchema(schema, { io: "input", unrepresentable: "any", reused: "inline" }) as DocumentSchema,
  );
}

/** Returns all fields of a shape, keyed by path. */
function fieldsOf(shape: Shape, named: Facts["schemas"], at = "", inside: string[] = []): Map<string, Shape> {
  if (shape.schema !== undefined && inside.includes(shape.schema)) return new Map();
  const path = shape.schema === undefined ? inside : [...inside, shape.schema];
  const { fields = {}, items } = resolved({ shape, schemas: named });
  return new Map([
    ...Object.entries(fields).flatMap(([name, field]) => {
      const place = at === "" ? name : `${at}.${name}`;
      const whole = resolved({ shape: field, schemas: named });
      return [[place, whole] as const, ...fieldsOf(field, named, place, path)];
    }),
    ...(items ? fieldsOf(items, named, `${at}[]`, path) : []),
  ]);
}

function typeOf({ type, oneOf, fields }: Shape): string | undefined {
  return oneOf ? undefined : (type ?? (fields ? "object" : undefined));
}

/** True if all keys that `part` and `whole` have in common have equal values. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== "object" || part === null || typeof whole !== "object" || whole === null)
    return part === whole;
  return Object.entries(part).every(
    ([key, value]) => !(key in whole) || isPartOf(value, (whole as Record<string, unknown>)[key]),
  );
}
