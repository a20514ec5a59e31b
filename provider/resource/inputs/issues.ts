import { nearest } from "../../text/nearest";
import { z } from "zod";

/** A problem with a value, and its location within the value. */
export interface InputFault {
  path: string[];
  reason: string;
  /** True if the problem is the name of the field rather than its value. */
  aboutName: boolean;
}

/** Returns the faults that a schema issue describes, one for each field that it applies to. */
export function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): InputFault[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key],
      reason: unknownField(key, knownFields(schema, path)),
      aboutName: true,
    }));
  const missing =
    issue.code === "invalid_type" && issue.input === undefined && /received undefined/.test(issue.message);
  // The message for an invalid key is one level deeper.
  const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const reason = missing ? "is required" : uncapitalized(message);
  const aboutName = issue.code === "invalid_key";
  // An empty name cannot be shown as a part of a path.
  if (aboutName && path.at(-1)?.trim() === "")
    return [{ path: path.slice(0, -1), reason: `contains a name that ${reason}`, aboutName }];
  return [{ path, reason, aboutName }];
}

/** Suggests the correct name for a misspelled field. */
function unknownField(key: string, known: string[]): string {
  const meant = nearest(key, known);
  return meant
    ? `is not a field; did you mean ${meant}?`
    : `is not a field; the fields are ${known.join(", ")}`;
}

/** Returns the names of the fields that a schema allows in the object at a path. */
function knownFields(schema: z.ZodType, path: string[]): string[] {
  const inside = unwrapped(schema);
  if (!(inside instanceof z.ZodObject)) return [];
  const [field, ...rest] = path;
  if (field === undefined) return Object.keys(inside.shape);
  return Object.hasOwn(inside.shape, field) ? knownFields(inside.shape[field] as z.ZodType, rest) : [];
}

/** Returns the schema inside wrappers that also allow `undefined` or `null`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrapped(schema.out as z.ZodType);
  if (!(schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)) return schema;
  return unwrapped(schema.unwrap() as z.ZodType);
}

function uncapitalized(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
