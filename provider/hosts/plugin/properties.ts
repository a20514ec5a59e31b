import type { JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import type { Decoded } from "../../core/decoded";
import { asSecret, isSecretValue, outputIn, unknownText } from "../../engine/sentinels";
import { type AnyKind, secretCopiesIn } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import { engineMark, notKnownYet } from "../../resource/inputs/unknown";
import { isGroup, type Props } from "../../resource/inputs/values";
import { Struct, type StructMessage } from "./protocol";
import { propertiesIn } from "./requests";

/** Returns the properties of a message in the format that the core expects. */
export function decode(message: StructMessage | undefined): Decoded {
  const secretPaths: string[] = [];
  const plain = (value: unknown, path: string): unknown => {
    if (value === unknownText) return notKnownYet;
    if (typeof value !== "object" || value === null) return value;
    const output = outputIn(value);
    if (isSecretValue(value) || output?.secret) secretPaths.push(path);
    if (isSecretValue(value)) return plain((value as Props)["value"], path);
    if (output) return "value" in output ? plain(output.value, path) : notKnownYet;
    if (Array.isArray(value)) return value.map((one, index) => plain(one, `${path}.${index}`));
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one, `${path}.${key}`)]));
  };
  const values: Props = {};
  const hidden: Props = {};
  for (const [name, value] of Object.entries(message ? propertiesIn(message) : {})) {
    (name.startsWith("__") ? hidden : values)[name] = plain(value, name);
  }
  return { values, secretPaths: secretPaths.filter((path) => !path.startsWith("__")), hidden };
}

/**
 * Returns the properties that the dynamic provider stored in a state. The dynamic provider needs them if it manages the
 * resource again.
 */
export function dynamicPropsIn({ hidden }: Decoded): Props {
  const { __provider, __call } = (hidden ?? {}) as Props;
  return { ...(__provider !== undefined && { __provider, __call }) };
}

/** Returns a message with these properties, in which the values at some paths are marked as secret. */
export function encode(props: object, isSecret: (path: string) => boolean): StructMessage {
  return Struct.fromJavaScript(encoded(props, "", isSecret) as Record<string, JavaScriptValue>);
}

function encoded(value: unknown, path: string, isSecret: (path: string) => boolean): unknown {
  if (value === notKnownYet) return unknownText;
  if (typeof value !== "object" || value === null) return value;
  const inside = (key: string | number, one: unknown) => {
    const place = path === "" ? String(key) : `${path}.${key}`;
    return isSecret(place) ? asSecret(encoded(one, place, () => false)) : encoded(one, place, isSecret);
  };
  if (Array.isArray(value)) return value.map((one, index) => inside(index, one ?? null));
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.map(([key, one]) => [key, inside(key, one)]));
}

/** Returns a message with inputs, in which the program's secrets and values computed from them are marked as secret. */
export function encodeInputs(kind: AnyKind, inputs: Props, secretPaths: readonly string[]): StructMessage {
  return encode(inputs, marksOf(kind, inputs, secretPaths));
}

/** Returns a message with a state and the values that are stored with it but never displayed. */
export function encodeState(
  kind: AnyKind,
  state: ManagedState,
  { secretPaths, hidden }: Pick<Decoded, "secretPaths" | "hidden">,
): StructMessage {
  const omitted = Object.keys(state.omitted ?? {}).map((path) => `omitted.${path}`);
  return encode({ ...hidden, ...state }, marksOf(kind, { ...state }, [...secretPaths, ...omitted]));
}

/**
 * Returns a predicate for the paths to mark as secret. In maps of secrets, only the values are marked, not the names.
 */
function marksOf(kind: AnyKind, props: Props, secretPaths: readonly string[]): (path: string) => boolean {
  // The engine does not accept a secret where it expects the marker of an asset.
  const isMap = (value: unknown) => isGroup(value) && !Object.hasOwn(value, engineMark);
  const maps = (kind.secretMaps ?? []).filter((name) => isMap(props[name]));
  const entries = maps.flatMap((name) => Object.keys(props[name] as Props).map((key) => `${name}.${key}`));
  const copies = secretCopiesIn(kind, props, secretPaths).map((path) => path.join("."));
  const others = secretPaths.filter((path) => !maps.includes(path));
  const marked = new Set([...others, ...entries, ...copies]);
  return (path) => marked.has(path);
}
