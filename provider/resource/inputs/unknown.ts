/** Stands for a value that is not known yet in a preview. */
export const notKnownYet: unique symbol = Symbol("not known yet");

/** Whether the value, or anything inside it, is not known yet. */
export function hasUnknown(value: unknown): boolean {
  return holds(value, (one) => one === notKnownYet);
}

/** Whether the value, or anything inside it, fits. Not by recursion: it may be nested deeply, or hold itself. */
export function holds(value: unknown, fits: (one: unknown) => boolean): boolean {
  const seen = new Set<unknown>();
  const left = [value];
  for (let one = left.pop(); one !== undefined || left.length > 0; one = left.pop()) {
    if (fits(one)) return true;
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const item of Object.values(one)) left.push(item);
  }
  return false;
}

/** The value without what is not known yet: entries of objects are left out, items of lists are null. */
export function withoutUnknown(value: unknown): unknown {
  return copied(value, (one) => (one === notKnownYet ? undefined : one));
}

/**
 * A copy with other leaves. Not by recursion: what is copied may be nested deeply, or hold itself.
 * @param leaf what stands in place of something; where that is undefined, an entry is left out and an item is null
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
      // A key such as `__proto__` is a key like any other.
      Object.defineProperty(copies.get(one), key, {
        value: copy === undefined && item !== undefined ? null : copy,
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
  return whole;
}

/** Whether the value that a path leads to, or anything on the way, is not known yet. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === notKnownYet) return true;
  const [key, ...rest] = path;
  if (key === undefined) return hasUnknown(value);
  if (typeof value !== "object" || value === null) return false;
  return isUnknownAt((value as Record<PropertyKey, unknown>)[key], rest);
}
