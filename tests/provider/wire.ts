import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../../provider/resource/inputs/values";

/** Encodes and decodes properties in the same way as the engine. Rejects values that JSON cannot represent. */
export function overTheWire(props: Props): Props {
  return Struct.fromJavaScript(props as Record<string, JavaScriptValue>).toJavaScript();
}

/** Name of the property that identifies an encoded secret. */
export const secretKey = "4dabf18193072939515e22adb298388d";

/** True if a value is encoded as a secret. */
export function isSecret(value: unknown): value is { value: unknown } {
  return typeof value === "object" && value !== null && secretKey in value;
}

/**
 * Returns the properties with secrets as plain values. The engine stores which values are secret, but does not pass
 * this information to the provider.
 */
export function inClear<Value>(value: Value): Value {
  if (isSecret(value)) return inClear(value.value) as Value;
  if (Array.isArray(value)) return value.map(inClear) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inClear(item)])) as Value;
}
