import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Props } from "../../provider/resource/inputs/values";

/** Properties as they come out at the other end of the engine's encoding, which refuses what JSON cannot hold. */
export function overTheWire(props: Props): Props {
  return Struct.fromJavaScript(props as Record<string, JavaScriptValue>).toJavaScript();
}

const secretKey = "4dabf18193072939515e22adb298388d";

/** Whether a value travels as a secret. */
export function isSecret(value: unknown): value is { value: unknown } {
  return typeof value === "object" && value !== null && secretKey in value;
}

/** The same properties with secrets as plain values: the engine keeps the mark, the provider never sees it again. */
export function inClear<Value>(value: Value): Value {
  if (isSecret(value)) return inClear(value.value) as Value;
  if (Array.isArray(value)) return value.map(inClear) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inClear(item)])) as Value;
}
