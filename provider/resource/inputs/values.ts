import { notKnownYet } from "./unknown";

export { isGiven, isJsonObject as isGroup } from "../../../wire/json";

/** Properties of a resource by name, as in a program, a state, or a response. */
export type Props = Record<string, unknown>;

/**
 * Returns the value at a dotted path; `undefined` if there is none, `notKnownYet` if a value along the path is unknown.
 */
export function at(from: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((part, key) => {
    if (part === notKnownYet) return notKnownYet;
    return typeof part === "object" && part !== null && Object.hasOwn(part, key)
      ? (part as Props)[key]
      : undefined;
  }, from);
}

/** Returns the value at a path; `undefined` if there is none. */
export function valueOf(from: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (part, key) =>
      typeof part === "object" && part !== null && Object.hasOwn(part, key)
        ? (part as Props)[key]
        : undefined,
    from,
  );
}

/** Returns all ways to split a dotted path into the keys of an existing value. Keys may contain dots as well. */
export function keysAt(value: unknown, path: string): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (path === key) return item === undefined ? [] : [[key]];
    if (!path.startsWith(`${key}.`)) return [];
    return keysAt(item, path.slice(key.length + 1)).map((keys) => [key, ...keys]);
  });
}

/** Returns all strings below a dotted path. Names in the values may contain dots as well. */
export function textsAt(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    if (path === key) return textsIn(item);
    return path.startsWith(`${key}.`) ? textsAt(item, path.slice(key.length + 1)) : [];
  });
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Returns a copy of the properties with this value at a dotted path. Creates missing groups along the path. */
export function withValueAt(values: Props, path: string, value: unknown): Props {
  const [key = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...values, [key]: value };
  return { ...values, [key]: withValueAt((values[key] ?? {}) as Props, rest.join("."), value) };
}

/** Returns a copy of the properties with these values at their paths. See {@link withValueAt}. */
export function withValuesAt(values: Props, others: Readonly<Record<string, unknown>>): Props {
  return Object.entries(others).reduce((all, [path, value]) => withValueAt(all, path, value), values);
}
