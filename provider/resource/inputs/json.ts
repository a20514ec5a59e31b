import { isDeepStrictEqual } from "node:util";
import { hasUnknown } from "./unknown";

/** A value as JSON carries it: without keys that have no value, and with one zero only. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Whether two values are the same once they have travelled. What is not known yet is the same only as itself. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (hasUnknown(one) || hasUnknown(other)) return isDeepStrictEqual(one, other);
  return isDeepStrictEqual(asJson(one), asJson(other));
}
