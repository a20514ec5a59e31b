import { copied, holds, notKnownYet } from "../resource/inputs/unknown";
import type { Props } from "../resource/inputs/values";

/** How the engine writes a value that is not known yet, whatever its type. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How the engine marks an object as a secret; the secret is its `value`. */
const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The value as a secret. */
export function asSecret(value: unknown): Props {
  return { ...secretSignature, value };
}

/** Whether the value travels as a secret. */
export function isSecretValue(value: object): boolean {
  return Object.keys(secretSignature).some((key) => Object.hasOwn(value, key));
}

/** The same value with `notKnownYet` in place of the engine's text for it. */
export function withUnknowns<Value>(value: Value): Value {
  const isUnknown = (one: unknown) => one === unknownText;
  if (!holds(value, isUnknown)) return value;
  return copied(value, (one) => (isUnknown(one) ? notKnownYet : one)) as Value;
}
