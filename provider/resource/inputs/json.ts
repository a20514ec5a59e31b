import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { engineMark, hasUnknown } from "./unknown";
import { z } from "zod";

/** Round-trips a value through JSON, which drops keys without a value and converts -0 to 0. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** True if two values serialize to the same JSON. An unknown value is equal only to itself. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (isUnchangedByJson(one) && isUnchangedByJson(other)) return false;
  if (hasUnknown(one) || hasUnknown(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(asJson(one), asJson(other));
}

/** True for a value of a simple type that JSON does not change. */
function isUnchangedByJson(value: unknown): boolean {
  return value === null || ["string", "boolean", "undefined"].includes(typeof value);
}

const notJson = "must be a JSON value, not an asset, an archive, or a resource";

/** Any value that JSON does not change. */
export const transportable = z.unknown().superRefine((value, context) => {
  for (const { path, problem } of untransportable(value))
    context.addIssue({ code: "custom", message: problem, path });
});

/** Object with arbitrary names, and with values that JSON does not change. */
export const jsonObject = z.record(z.string(), transportable).superRefine((value, context) => {
  if (Object.hasOwn(value, engineMark)) context.addIssue({ code: "custom", message: notJson });
});

/** Formats a value as JSON with sorted keys, because a program or a server may change their order. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** Returns the SHA-256 digest of a JSON value as hexadecimal digits. The order of keys has no effect. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(sortedJson(value)).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Maximum nesting depth of a value. */
const deepest = 64;

/** A part of a value that JSON would change. */
export interface Fault {
  path: (string | number)[];
  problem: string;
}

/** Returns the parts of a value that JSON or the control plane would lose or change. */
function untransportable(value: unknown, path: (string | number)[] = [], around: unknown[] = []): Fault[] {
  if (typeof value === "number" && !Number.isFinite(value))
    return [{ path, problem: "must be a finite number" }];
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    return [{ path, problem: "must be a value that JSON can represent" }];
  if (typeof value === "string" && /\p{Cs}/u.test(value))
    return [{ path, problem: "must not contain an unpaired surrogate (an incomplete character)" }];
  if (typeof value !== "object" || value === null) return [];
  if (Object.hasOwn(value, engineMark)) return [{ path, problem: notJson }];
  if (around.includes(value)) return [{ path, problem: "must not contain itself" }];
  if (around.length >= deepest)
    return [{ path, problem: `must not be nested more than ${deepest} levels deep` }];
  return Object.entries(value).flatMap(([key, item]) => {
    const inside = [...path, Array.isArray(value) ? Number(key) : key];
    return untransportable(item, inside, [...around, value]);
  });
}
