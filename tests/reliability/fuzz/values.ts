import type { Field, Shape } from "../../../tools/published-facts/facts";
import { fc } from "../../properties";
import { type Described, resolved } from "../../published/judge/differences";

/** Generators of values by field name. Their values, such as the ID of an existing object, pass the first checks. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Options for generating values. */
interface Making {
  schemas: Described["schemas"];
  hints: Hints;
  depth: number;
}

/** Depth below which only required values are generated. */
const deepest = 5;

const word = fc.oneof(
  fc.constantFrom("agent", "a", "answer", "messages", "values"),
  fc.string({ maxLength: 8 }),
);
const anything = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }));

/** Returns values that a schema allows. The name of the field may select a hint. */
export function valuesOf(described: Described, hints: Hints, name = ""): fc.Arbitrary<unknown> {
  return valueOf(described.shape, name, { schemas: described.schemas, hints, depth: 0 });
}

function valueOf(shape: Shape, name: string, making: Making): fc.Arbitrary<unknown> {
  const whole = resolved({ shape, schemas: making.schemas });
  const hint = Object.hasOwn(making.hints, name) ? making.hints[name] : undefined;
  const plain = plainValueOf(whole, name, { ...making, depth: making.depth + 1 });
  return fc.oneof(
    { weight: 3, arbitrary: plain },
    ...(hint ? [{ weight: 12, arbitrary: hint }] : []),
    ...(whole.nullable ? [{ weight: 1, arbitrary: fc.constant(null) }] : []),
  );
}

function plainValueOf(shape: Shape, name: string, making: Making): fc.Arbitrary<unknown> {
  if (shape.oneOf) return fc.oneof(...shape.oneOf.map((choice) => valueOf(choice, name, making)));
  if (shape.enum) return fc.constantFrom(...shape.enum);
  switch (shape.type ?? (shape.fields ? "object" : undefined)) {
    case "string":
      return textOf(shape);
    case "integer":
      return fc.integer({ min: Math.ceil(shape.minimum ?? 0), max: Math.floor(shape.maximum ?? 1_000) });
    case "number":
      return fc.double({ min: shape.minimum ?? 0, max: shape.maximum ?? 1_000, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "array":
      return listOf(shape, name, making);
    case "object":
      return objectOf(shape, making);
    default:
      return anything;
  }
}

function textOf({ format, pattern, minLength, maxLength = 12 }: Shape): fc.Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  if (format === "date-time")
    return fc.constantFrom(
      "2026-01-02T03:04:05Z",
      "2026-01-02T03:04:05.678901+00:00",
      "2099-01-01T00:00:00Z",
    );
  // A URL where no server is listening, and that does not require a name lookup.
  if (format?.startsWith("uri")) return fc.constantFrom("http://127.0.0.1:9/hook", "/hook");
  if (pattern !== undefined) return fc.constantFrom("custom:a", "1", "a");
  return fc.oneof(word, fc.string({ minLength: minLength ?? 0, maxLength: Math.min(maxLength, 12) }));
}

function listOf({ items = {}, minItems = 0 }: Shape, name: string, making: Making): fc.Arbitrary<unknown> {
  const maxLength = making.depth > deepest ? minItems : Math.max(minItems, 3);
  return fc.array(valueOf(items, `${name}[]`, making), { minLength: minItems, maxLength });
}

function objectOf({ fields, values, oneGroupOf }: Shape, making: Making): fc.Arbitrary<unknown> {
  if (!fields) {
    const inside = values && making.depth <= deepest ? valueOf(values, "", making) : anything;
    return fc.dictionary(word, inside, { maxKeys: 3 });
  }
  const named = Object.entries(fields).filter(([, field]) => field.required || making.depth <= deepest);
  const arbitraries = Object.fromEntries(named.map(([name, field]) => [name, valueOf(field, name, making)]));
  const required = (group: readonly string[]) =>
    fc.record(arbitraries, {
      requiredKeys: [...requiredOf(fields), ...group].filter((name) => name in arbitraries),
    });
  return oneGroupOf ? fc.oneof(...oneGroupOf.map(required)) : required([]);
}

function requiredOf(fields: Record<string, Field>): string[] {
  return Object.keys(fields).filter((name) => fields[name]!.required);
}
