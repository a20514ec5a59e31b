import { copied, engineMark, holds, notKnownYet } from "../resource/inputs/unknown";
import type { Props } from "../resource/inputs/values";

/** Placeholder that the engine uses for an unknown value of any type. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Marker that the engine uses for a secret. The secret is in the `value` of the object. */
const secretSignature = { [engineMark]: "1b47061264138c4ac30d75fd1eb44270" };

/** Marker that the engine uses for an output: its `value`, if known, and whether it is `secret`. */
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

export function asSecret(value: unknown): Props {
  return { ...secretSignature, value };
}

/** True if the value is a secret. */
export function isSecretValue(value: object): boolean {
  return (value as Props)[engineMark] === secretSignature[engineMark];
}

/** Returns the parts of a marked output; `undefined` for any other value. */
export function outputIn(value: object): { value?: unknown; secret?: boolean } | undefined {
  return (value as Props)[engineMark] === outputSignature ? value : undefined;
}

/** Returns the value with `notKnownYet` instead of the engine's placeholder. */
export function withUnknowns<Value>(value: Value): Value {
  const isUnknown = (one: unknown) => one === unknownText;
  if (!holds(value, isUnknown)) return value;
  return copied(value, (one) => (isUnknown(one) ? notKnownYet : one)) as Value;
}
