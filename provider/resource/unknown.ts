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

/** Whether the value that a path leads to, or anything on the way, is not known yet. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === notKnownYet) return true;
  const [key, ...rest] = path;
  if (key === undefined) return hasUnknown(value);
  if (typeof value !== "object" || value === null) return false;
  return isUnknownAt((value as Record<PropertyKey, unknown>)[key], rest);
}
