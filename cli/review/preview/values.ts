import { isSecretValue, withUnknowns } from "../../../provider/engine/sentinels";
import { hidden as hiddenValue } from "../../../provider/text/redact";
import type { Props } from "../../../provider/resource/inputs/values";

/**
 * Returns properties in the form in which the engine prints them, with `hiddenValue` for each secret, regardless of how
 * the secret is marked.
 */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  if (isSecretValue(value)) return hiddenValue;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]));
}

/**
 * Returns the properties of a resource, or an empty object if the value is not an object. Omits properties whose names
 * start with `__`, because the provider adds them.
 */
export function asProps(value: unknown): Props {
  const clean = withUnknowns(withoutSecrets(value));
  if (typeof clean !== "object" || clean === null || Array.isArray(clean)) return {};
  return Object.fromEntries(Object.entries(clean).filter(([name]) => !name.startsWith("__")));
}

/** Returns a string that can be displayed, or `undefined` for secrets, unknown values, and values of other types. */
export function plainText(value: unknown): string | undefined {
  return typeof value === "string" && value !== hiddenValue ? value : undefined;
}
