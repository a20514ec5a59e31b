import { resourceSpecKeys } from "../../../wire/dialects/resource-spec-keys";

const toWire = new Map(resourceSpecKeys.map((key) => [camelCase(key), key]));
const fromWire = new Map(resourceSpecKeys.map((key) => [key, camelCase(key)]));

/** Converts `{ memoryMb: 512 }` to `{ memory_mb: 512 }`. */
export function resourceSpecToWire(spec: Record<string, unknown>): Record<string, unknown> {
  return renameKeys(spec, toWire);
}

/** Converts `{ memory_mb: 512 }` to `{ memoryMb: 512 }`; omits keys without a value. */
export function resourceSpecFromWire(spec: Record<string, unknown>): Record<string, unknown> {
  const given = Object.entries(spec).filter(([, value]) => value !== null && value !== undefined);
  return renameKeys(Object.fromEntries(given), fromWire);
}

/**
 * Returns the user's name for a documented key; `undefined` for any other key, including a key that already has the
 * user's name.
 */
export function documentedName(key: string): string | undefined {
  const name = fromWire.get(key);
  return name === key ? undefined : name;
}

function renameKeys(spec: Record<string, unknown>, names: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).map(([key, value]) => [names.get(key) ?? key, value]));
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
