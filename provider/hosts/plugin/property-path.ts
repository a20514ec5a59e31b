import { isSameJson } from "../../resource/inputs/json";
import { valueOf } from "../../resource/inputs/values";

/**
 * Formats a path in the notation of the engine, in which only quotes are escaped. A key that ends in a backslash cannot
 * be expressed, so the path ends before it.
 */
export function propertyPath(keys: readonly string[]): string {
  const end = keys.findIndex((key) => key.endsWith("\\"));
  const [first = "", ...rest] = end < 0 ? keys : keys.slice(0, end);
  const start = isName(first) ? first : quoted(first);
  return rest.reduce(
    (text, key) => text + (/^\d+$/.test(key) || !isName(key) ? quoted(key) : `.${key}`),
    start,
  );
}

function isName(key: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(key);
}

function quoted(key: string): string {
  return `["${key.replaceAll('"', '\\"')}"]`;
}

/**
 * Splits the path of a change into its keys. A key may contain dots, so the keys are looked up in the values.
 * @param after the properties after the change
 * @param before the properties before the change
 */
export function keysOf(path: string, after: unknown, before: unknown): string[] {
  const readings = readingsOf(path, [after, before]);
  return readings.find((keys) => !isSameJson(valueOf(after, keys), valueOf(before, keys))) ?? readings[0]!;
}

/** Returns all possible ways to split a path into keys that exist in the values. */
function readingsOf(path: string, values: readonly unknown[]): string[][] {
  const groups = values.filter((one): one is object => typeof one === "object" && one !== null);
  const known = new Set(groups.flatMap((group) => Object.keys(group)));
  const readings = [...known].flatMap((key) => {
    if (path === key) return [[key]];
    if (!path.startsWith(`${key}.`)) return [];
    const inside = groups.map((group) => valueOf(group, [key]));
    return readingsOf(path.slice(key.length + 1), inside).map((keys) => [key, ...keys]);
  });
  return readings.length > 0 ? readings : [path.split(".")];
}
