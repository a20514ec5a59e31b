/** Placeholder for a value that is unknown in a preview. */
export const notKnownYet: unique symbol = Symbol("not known yet");

/** Key that marks special objects of the engine, which represent values that JSON does not support, such as assets. */
export const engineMark = "4dabf18193072939515e22adb298388d";

/** True if the value, or anything inside it, is unknown. */
export function hasUnknown(value: unknown): boolean {
  return holds(value, (one) => one === notKnownYet);
}

/**
 * True if the value, or anything inside it, satisfies the predicate. Not recursive, because the value may be deeply
 * nested or contain itself.
 */
export function holds(value: unknown, fits: (one: unknown) => boolean): boolean {
  if (typeof value !== "object" || value === null) return fits(value);
  const seen = new Set<unknown>();
  const left: unknown[] = [value];
  for (let one = left.pop(); one !== undefined || left.length > 0; one = left.pop()) {
    if (fits(one)) return true;
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const item of Object.values(one)) left.push(item);
  }
  return false;
}

/**
 * Returns the value without unknown values: object entries with an unknown value are omitted, and unknown list items
 * become null.
 */
export function withoutUnknown(value: unknown): unknown {
  return copied(value, (one) => (one === notKnownYet ? undefined : one));
}

/**
 * Returns a copy with its leaves replaced. Not recursive, because the value may be deeply nested or contain itself.
 * @param leaf returns the replacement; for `undefined`, an object entry is omitted and a list item is set to null
 */
export function copied(value: unknown, leaf: (one: unknown) => unknown): unknown {
  const copies = new Map<object, object>();
  const left: object[] = [];
  const copyOf = (original: unknown): unknown => {
    const one = leaf(original);
    if (typeof one !== "object" || one === null) return one;
    const known = copies.get(one);
    if (known) return known;
    const copy = Array.isArray(one) ? [] : {};
    copies.set(one, copy);
    left.push(one);
    return copy;
  };
  const whole = copyOf(value);
  for (let one = left.pop(); one; one = left.pop())
    for (const [key, item] of Object.entries(one)) {
      const copy = copyOf(item);
      if (copy === undefined && item !== undefined && !Array.isArray(one)) continue;
      // A key such as `__proto__` is an ordinary key.
      Object.defineProperty(copies.get(one), key, {
        value: copy === undefined && item !== undefined ? null : copy,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  return whole;
}

/** True if the value at a path, or any value along the path, is unknown. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === notKnownYet) return true;
  const [key, ...rest] = path;
  if (key === undefined) return hasUnknown(value);
  if (typeof value !== "object" || value === null) return false;
  return isUnknownAt((value as Record<PropertyKey, unknown>)[key], rest);
}
