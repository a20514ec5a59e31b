import { fc } from "../../properties";
import { jsonText, oddText, oddValue } from "./odd-values";

type Place = (string | number)[];

/** A modification that makes a value invalid. */
interface Modification {
  /** Index of the location within the value. */
  at: number;
  how: "replace" | "remove" | "add" | "wrap" | "rename";
  value: unknown;
  name: string;
}

const modification: fc.Arbitrary<Modification> = fc.record({
  at: fc.nat(60),
  how: fc.oneof(
    { weight: 4, arbitrary: fc.constant("replace" as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("remove" as const, "add" as const, "wrap" as const, "rename" as const),
    },
  ),
  value: oddValue,
  name: oddText,
});

/**
 * Returns the generated values, each with one to three errors: wrong types, missing or additional fields, wrong names,
 * or wrong sizes.
 */
export function spoilt(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.array(modification, { minLength: 1, maxLength: 3 }))
    .map(([value, modifications]) => modifications.reduce(modify, value));
}

/** Returns bodies that are not valid JSON, as bytes. */
export function brokenBodies(values: fc.Arbitrary<unknown>): fc.Arbitrary<Uint8Array> {
  const text = values.map(jsonText);
  const latin1 = (bytes: string): Uint8Array => Uint8Array.from(Buffer.from(bytes, "latin1"));
  return fc.oneof(
    fc
      .constantFrom("", " ", "null", "{", "NaN", "'a'", "{}{}", "\ufeff{}", '{"a":1,"a":2}', "[1e999]")
      .map(utf8),
    fc
      .constantFrom('"\xff\xfe"', "\xff\xfe{\x00}\x00", '{"a":"\xc3\x28"}', "\x00", "\x1f\x8b\x08")
      .map(latin1),
    fc.tuple(text, fc.nat(200)).map(([whole, end]) => utf8(whole.slice(0, end))),
    text.map((whole) => Uint8Array.from(Buffer.from(whole, "utf16le"))),
    fc.uint8Array({ maxLength: 40 }),
  );
}

const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "utf8"));

function modify(value: unknown, { at, how, value: wrong, name }: Modification): unknown {
  const places = [...placesIn(value)];
  const place = places[at % places.length]!;
  const key = place.at(-1);
  if (how === "add")
    return changed(value, place, (old) => (isObject(old) ? { ...old, ...own(name, wrong) } : wrong));
  if (how === "wrap") return changed(value, place, (old) => [old]);
  if (how === "replace" || typeof key !== "string") return changed(value, place, () => wrong);
  return changed(value, place.slice(0, -1), (old) => {
    const { [key]: gone, ...others } = old as Record<string, unknown>;
    return how === "remove" ? others : { ...others, ...own(name, gone) };
  });
}

/** Returns an object with one field of any name, even a name that all objects inherit. */
const own = (name: string, value: unknown): Record<string, unknown> => Object.fromEntries([[name, value]]);

function* placesIn(value: unknown, at: Place = []): Generator<Place> {
  yield at;
  if (at.length > 6 || typeof value !== "object" || value === null) return;
  const inside = Array.isArray(value) ? [...value.entries()].slice(0, 5) : Object.entries(value);
  for (const [key, one] of inside as [string | number, unknown][]) yield* placesIn(one, [...at, key]);
}

function changed(value: unknown, [key, ...rest]: Place, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((one: unknown, index): unknown => (index === key ? changed(one, rest, change) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      name === key ? changed(one, rest, change) : one,
    ]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
