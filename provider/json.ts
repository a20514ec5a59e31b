import { isDeepStrictEqual } from "node:util";

/** A value as JSON carries it: without keys that have no value, and with one zero only. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Whether two values are the same once they have travelled. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(asJson(one), asJson(other));
}
