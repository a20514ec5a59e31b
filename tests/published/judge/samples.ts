import type { Shape } from "../../../tools/published-facts/facts";
import { type Described, resolved } from "./differences";

/** Size of a sample: everything that is allowed, or only what is required, with null wherever possible. */
export type Measure = "most" | "least";

/** Returns a value that a shape allows. */
export function sampleOf({ shape, schemas }: Described, measure: Measure, depth = 0, name = ""): unknown {
  const { fields, ...whole } = resolved({ shape, schemas });
  if (whole.nullable && (measure === "least" || depth > 8)) return null;
  const inside = (one: Shape, field = name): unknown =>
    sampleOf({ shape: one, schemas }, measure, depth + 1, field);
  if (whole.oneOf) return inside(whole.oneOf[0]!);
  if (whole.enum) return whole.enum[0];
  switch (whole.type ?? (fields ? "object" : undefined)) {
    case "string":
      return textOf(whole, name);
    case "integer":
    case "number":
      return Math.min(Math.max(128, whole.minimum ?? 128), whole.maximum ?? 128);
    case "boolean":
      return true;
    case "array":
      return measure === "least" && !whole.minItems ? [] : [inside(whole.items ?? {})];
    case "object":
      return Object.fromEntries([
        ...Object.entries(fields ?? {})
          .filter(([, field]) => field.required || (measure === "most" && depth < 8))
          .map(([field, one]) => [field, inside(one, field)]),
        ...(!fields && whole.values && measure === "most" ? [["key", inside(whole.values)]] : []),
      ]);
    default:
      return "anything";
  }
}

function textOf({ format }: Shape, name: string): string {
  if (format === "uuid" || /(^|_)id$/.test(name)) return "33333333-3333-4333-8333-333333333333";
  if (format === "date-time") return "2026-01-02T03:04:05.678901+00:00";
  return "https://example.test";
}

/** A value with one invalid part, and the location of that part. */
export interface Spoilt {
  at: string;
  /** JSON text of the invalid part. */
  with: string;
  value: unknown;
}

/**
 * Returns all variants of a complete sample in which one part is invalid: it has another type, is not one of the
 * allowed values, is out of range, is null, or is missing.
 *
 * @param seen names of schemas whose fields are already covered; new ones are added
 */
export function* spoiltSamples(described: Described, seen: Set<string>): Generator<Spoilt> {
  yield* spoiling(described, sampleOf(described, "most"), "", seen);
}

function* spoiling(described: Described, sample: unknown, at: string, seen: Set<string>): Generator<Spoilt> {
  const { shape, schemas } = described;
  const whole = resolved(described);
  for (const wrong of wrongsOf(whole)) yield { at, with: JSON.stringify(wrong), value: wrong };
  if (whole.oneOf || (shape.schema !== undefined && seen.has(shape.schema))) return;
  if (shape.schema !== undefined) seen.add(shape.schema);
  if (Array.isArray(sample) && whole.items)
    for (const one of spoiling({ shape: whole.items, schemas }, sample[0], `${at}[]`, seen))
      yield { ...one, value: [one.value] };
  if (!whole.fields || typeof sample !== "object" || sample === null) return;
  for (const [name, field] of Object.entries(whole.fields)) {
    const place = at === "" ? name : `${at}.${name}`;
    const { [name]: value, ...others } = sample as Record<string, unknown>;
    if (field.required) yield { at: place, with: "nothing", value: others };
    for (const one of spoiling({ shape: field, schemas }, value, place, seen))
      yield { ...one, value: { ...others, [name]: one.value } };
  }
}

function wrongsOf({
  type,
  nullable,
  enum: words,
  format,
  minimum,
  maximum,
  minLength,
  fields,
}: Shape): unknown[] {
  const kind = type ?? (fields ? "object" : undefined);
  if (kind === undefined) return [];
  const wrongs: Record<string, unknown[]> = {
    string: [7],
    integer: ["many", 1.5],
    number: ["many"],
    boolean: ["maybe"],
    array: [{ a: 1 }],
    object: [["a"]],
  };
  return [
    ...wrongs[kind]!,
    ...(words ? ["no such word"] : []),
    ...(format === "uuid" ? ["seven"] : []),
    ...(minLength ? [""] : []),
    ...(minimum === undefined ? [] : [minimum - 0.05]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(nullable ? [] : [null]),
  ];
}
