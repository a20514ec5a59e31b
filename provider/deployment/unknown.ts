/** What the engine puts where a value is not known yet in a preview. It travels as this text, whatever the type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether the value, or anything inside it, is not known yet. */
export function hasUnknown(value: unknown): boolean {
  const seen = new Set<unknown>();
  const left = [value];
  // Not by recursion: what is looked at here may be nested deeply, or hold itself.
  for (let one = left.pop(); one !== undefined || left.length > 0; one = left.pop()) {
    if (one === unknownValue) return true;
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    for (const item of Object.values(one)) left.push(item);
  }
  return false;
}

/** Whether the value that a path leads to, or anything on the way, is not known yet. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === unknownValue) return true;
  const [key, ...rest] = path;
  if (key === undefined) return hasUnknown(value);
  if (typeof value !== "object" || value === null) return false;
  return isUnknownAt((value as Record<PropertyKey, unknown>)[key], rest);
}
