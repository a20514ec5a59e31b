/** Deepest nesting that is sent, in levels. */
const deepest = 64;

/** Something in a value that would not arrive as it was given. */
export interface Fault {
  path: (string | number)[];
  problem: string;
}

/** What of a value JSON, or the way to the control plane, would lose or change. */
export function untransportable(
  value: unknown,
  path: (string | number)[] = [],
  around: unknown[] = [],
): Fault[] {
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
