/** What the engine puts where a value is not known yet in a preview. It travels as this text, whatever the type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether the value, or anything inside it, is not known yet. */
export function hasUnknown(value: unknown): boolean {
  if (value === unknownValue) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(hasUnknown);
}

/** Whether the value that a path leads to, or anything on the way, is not known yet. */
export function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  if (value === unknownValue) return true;
  const [key, ...rest] = path;
  if (key === undefined) return hasUnknown(value);
  if (typeof value !== "object" || value === null) return false;
  return isUnknownAt((value as Record<PropertyKey, unknown>)[key], rest);
}
