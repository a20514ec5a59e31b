import { z } from "zod";
import { failure, type Finding } from "./finding";
import { describeIssue, type InputFault, unwrapped } from "./issues";
import { hasUnknown, holds, isUnknownAt, withoutUnknown } from "./unknown";
import { withoutHiddenCharacters } from "../plan/display-value";

/**
 * Returns the findings about inputs that do not depend on the server: wrong types, invalid strings, and unknown names.
 * Unknown values are accepted.
 */
export function shapeFindings(schema: z.ZodType, inputs: object): Finding[] {
  return [
    ...lostNames(inputs),
    ...faultsIn(schema, inputs).map(({ path, reason }) => failure(path.join("."), reason)),
  ];
}

/** Returns a failure for each field named `__proto__`, which both the input parser and Pulumi's Node.js SDK drop. */
export function lostNames(inputs: object): Finding[] {
  const isLost = (value: unknown) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__");
  if (!holds(inputs, isLost)) return [];
  const namesIn = (value: unknown, path: string[], around: unknown[]): string[][] =>
    typeof value !== "object" || value === null || around.includes(value)
      ? []
      : Object.entries(value).flatMap(([key, item]) =>
          key === "__proto__" ? [[...path, key]] : namesIn(item, [...path, key], [...around, value]),
        );
  return namesIn(inputs, [], []).map((path) =>
    failure(path.join("."), "cannot be passed to the provider; use another name"),
  );
}

/**
 * Returns only the findings about properties with a valid shape: neither the property itself nor its parents or
 * children are in the list of misshapen properties.
 */
export function besides(misshapen: readonly Finding[], findings: readonly Finding[]): Finding[] {
  return findings.filter(
    ({ property }) =>
      !misshapen.some(({ property: other }) => contains(property, other) || contains(other, property)),
  );
}

function contains(path: string, other: string): boolean {
  return path === other || other.startsWith(`${path}.`);
}

function faultsIn(schema: z.ZodType, inputs: object): InputFault[] {
  const parse = (values: unknown) =>
    (schema.safeParse(values).error?.issues ?? []).flatMap((issue) => describeIssue(issue, schema));
  if (!hasUnknown(inputs)) return parse(inputs);
  // Names are checked even if their values are unknown. The rules for whole groups are checked after the unknown values
  // have been removed, because the schema skips these rules if any value has the wrong type.
  const known = parse(withoutUnknown(inputs)).filter(({ aboutName }) => !aboutName);
  return [
    ...parse(inputs).filter(({ aboutName }) => aboutName),
    ...known.filter(({ path }) => !isUnknownAt(inputs, path)),
  ];
}

/** A string that is not blank. */
export const filled = z
  .string()
  .min(1, { error: "must not be empty", abort: true })
  .regex(/\S/, { error: "must not be blank", abort: true });

/** A string without control characters. */
export const text = withoutHiddenCharacters(
  filled.regex(/^\P{Cc}*$/u, "must not contain control characters, such as a line break"),
);

/** A string without control characters, or null. Null clears the field if the control plane supports this. */
export const nullableText = text.nullish();

/**
 * Returns a schema for an optional field that cannot be cleared with null.
 * @param why reason that the field cannot be cleared
 */
export function unclearable<Schema extends z.ZodType>(schema: Schema, why: string) {
  const given = z
    .any()
    .refine((value) => value !== null, { error: `cannot be cleared: ${why}`, abort: true });
  return given.pipe(schema).optional();
}

/** Returns the paths of the inputs that can be `null`. */
export function nullablePaths(schema: z.ZodType, prefix = ""): string[] {
  const inside = unwrapped(schema);
  if (inside instanceof z.ZodUnion)
    return [...new Set(inside.options.flatMap((option) => nullablePaths(option as z.ZodType, prefix)))];
  if (!(inside instanceof z.ZodObject)) return [];
  return Object.entries(inside.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    return [...(isNullable(field) ? [path] : []), ...nullablePaths(field, `${path}.`)];
  });
}

function isNullable(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodPipe) return isNullable(schema.out as z.ZodType);
  if (schema instanceof z.ZodOptional) return isNullable(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodNullable;
}
