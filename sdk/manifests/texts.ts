/** A string within a value, and its path. */
export interface Text {
  path: string[];
  text: string;
}

/** Returns every string in a value, in order. */
export function textsIn(value: unknown, path: string[] = []): Text[] {
  if (typeof value === "string") return [{ path, text: value }];
  return childrenOf(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
}

/** Returns every field name in a value, with its path. */
export function namesIn(value: unknown, path: string[] = []): Text[] {
  return childrenOf(value).flatMap(([key, item]) => {
    const inside = [...path, key];
    const own = Array.isArray(value) ? [] : [{ path: inside, text: key }];
    return [...own, ...namesIn(item, inside)];
  });
}

/** Returns a copy of the value with every string replaced. */
export function withTexts(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTexts(item, replace)]));
}

/** Returns the value at a path. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inside, key) =>
      typeof inside === "object" && inside !== null && Object.hasOwn(inside, key)
        ? (inside as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}

function childrenOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
