/**
 * Returns a path of keys that are joined with dots in the notation of the engine. A key may contain dots, so the keys
 * are looked up in the values.
 * @param values the properties before and after a change
 */
export function propertyPath(path: string, values: readonly unknown[]): string {
  const [first = "", ...rest] = keysOf(path, values);
  return rest.reduce((text, key) => text + step(key, text), first);
}

function step(key: string, before: string): string {
  if (/^\d+$/.test(key)) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) && before !== "" ? `.${key}` : `["${key.replace(/["\\]/g, "\\$&")}"]`;
}

function keysOf(path: string, values: readonly unknown[]): string[] {
  const groups = values.filter((one): one is object => typeof one === "object" && one !== null);
  const keys = groups.flatMap((group) => Object.keys(group));
  const key = keys.find((one) => path === one || path.startsWith(`${one}.`)) ?? path.split(".")[0]!;
  if (path === key) return [key];
  const inside = groups.map((group) => (group as Record<string, unknown>)[key]);
  return [key, ...keysOf(path.slice(key.length + 1), inside)];
}
