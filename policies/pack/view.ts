import { Secret } from "@pulumi/policy";
import { isSentinel, notKnownYet } from "../resource/unknown";

/**
 * Returns the inputs as plain values, with `notKnownYet` for values that are not known and without the marks of
 * secrets. The SDK passes them in proxies that throw at the first unknown value; a property's descriptor shows the
 * underlying value.
 */
export function plainInputs(props: object): Record<string, unknown> {
  return plain(props) as Record<string, unknown>;
}

function plain(value: unknown): unknown {
  if (isSentinel(value)) return notKnownYet;
  if (value instanceof Secret) return plain(value.value);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.keys(value).map((key) => [
    key,
    plain(Object.getOwnPropertyDescriptor(value, key)?.value),
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
