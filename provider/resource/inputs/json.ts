import { isDeepStrictEqual } from "node:util";
import { hasUnknown } from "./unknown";
import { z } from "zod";

/** A value as JSON carries it: without keys that have no value, and with one zero only. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Whether two values are the same once they have travelled. What is not known yet is the same only as itself. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (hasUnknown(one) || hasUnknown(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(asJson(one), asJson(other));
}

/** Any value that arrives as it was given. */
export const transportable = z.unknown().superRefine((value, context) => {
  for (const { path, problem } of untransportable(value))
    context.addIssue({ code: "custom", message: problem, path });
});

/** An object whose names and values are the user's. */
export const jsonObject = z.record(z.string(), transportable);

/** A value as JSON, with the keys of its objects in an order of their own: that of a program, or a server, may change. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** Deepest nesting that is sent, in levels. */
const deepest = 64;

/** Something in a value that would not arrive as it was given. */
export interface Fault {
  path: (string | number)[];
  problem: string;
}

/** What of a value JSON, or the way to the control plane, would lose or change. */
function untransportable(value: unknown, path: (string | number)[] = [], around: unknown[] = []): Fault[] {
  if (typeof value === "number" && !Number.isFinite(value))
    return [{ path, problem: "must be a finite number" }];
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
    return [{ path, problem: "must be a value that JSON can hold" }];
  if (typeof value === "string" && /\p{Cs}/u.test(value))
    return [{ path, problem: "must not hold half a character (a lone surrogate)" }];
  if (typeof value !== "object" || value === null) return [];
  if (around.includes(value)) return [{ path, problem: "must not contain itself" }];
  if (around.length >= deepest)
    return [{ path, problem: `must not be nested deeper than ${deepest} levels` }];
  return Object.entries(value).flatMap(([key, item]) => {
    const inside = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === "__proto__") return [{ path: inside, problem: "is a name that gets lost on the way" }];
    return untransportable(item, inside, [...around, value]);
  });
}
