import { encodedSize } from "../../engine/encoded-size";
import { asSecret, isSecretValue } from "../../engine/sentinels";
import { shortened } from "../../engine/shorten";
import { DisplayError, type Outcome } from "../../core/core";
import { type AnyKind, secretCopiesIn } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import { keysAt, type Props } from "../../resource/inputs/values";
import { failureRoom, fittingState } from "../failure-room";
import { keptSecrets, outside } from "../kept-secrets";
import { decode, hiddenIn, secretOutputsIn, secretPathsIn } from "./decode";

/**
 * Returns a copy in which all values can be encoded by the engine: undefined values and functions are omitted, and
 * dates become strings.
 */
function encode(props: object): Props {
  return JSON.parse(JSON.stringify(props)) as Props;
}

/**
 * Returns the state, together with the hidden properties of the call. The engine marks an output as secret if the input
 * with the same name is secret. This function marks all other secrets.
 */
export function encodeState(kind: AnyKind, call: Props, state: ManagedState): Props {
  const all = { ...hiddenIn(call), ...state };
  return encode(withSecretsAt(withSecretCopies(kind, call, all), entriesOf(all, "omitted")));
}

/**
 * Returns the properties of an update, with the paths of the values that stay secret added to them: values of the
 * previous state whose inputs are no longer marked as secret in the program. The engine does not report which values
 * were secret in the previous state.
 */
export function withSecretOutputs(kind: AnyKind, olds: Props, news: Props, state: ManagedState): Props {
  const after: Props = { ...state };
  const given = secretPathsIn(news);
  const marked = new Set(secretCopiesIn(kind, after, given).map((keys) => keys.join(".")));
  const kept = keptSecrets(kind, decode(olds), decode(news), after);
  const secretOutputs = outside(kept, given, after).filter(
    (path) => !marked.has(path) && !given.includes(path),
  );
  return secretOutputs.length === 0
    ? news
    : { ...news, __call: { ...(news["__call"] as Props | undefined), secretOutputs } };
}

/**
 * Returns the state of a read, together with the hidden properties of the call. All secrets in it are marked, because
 * the engine marks only those that the program has marked.
 */
export function encodeFound(kind: AnyKind, call: Props, found: ManagedState): Props {
  return withSecretEntries(kind, encodeState(kind, call, found));
}

/** Returns the inputs of a read, together with the hidden properties of the call and with marked secrets. */
export function encodeInputs(kind: AnyKind, call: Props, inputs: object): Props {
  return withSecretEntries(kind, withSecretCopies(kind, call, encode({ ...hiddenIn(call), ...inputs })));
}

/**
 * Returns properties in which two groups of values are marked as secret: those that the provider has computed from
 * secret values, and those that stay secret although the program no longer marks them.
 */
export function withSecretCopies(kind: AnyKind, call: Props, props: Props): Props {
  const kept = secretOutputsIn(call);
  const copies = secretCopiesIn(kind, props, [...secretPathsIn(call), ...kept]);
  return withSecretsAt(props, [...copies, ...kept.flatMap((path) => keysAt(props, path))]);
}

function withSecretEntries(kind: AnyKind, props: Props): Props {
  return withSecretsAt(
    props,
    (kind.secretMaps ?? []).flatMap((name) => entriesOf(props, name)),
  );
}

function entriesOf(props: Props, name: string): string[][] {
  return Object.keys(props[name] ?? {}).map((key) => [name, key]);
}

/** Returns a copy in which the values at these paths are marked as secret. A secret contains no other secrets. */
function withSecretsAt(props: Props, paths: readonly string[][]): Props {
  return [...paths].sort((one, other) => one.length - other.length).reduce(withSecretAt, props);
}

function withSecretAt<Value>(value: Value, [key, ...rest]: string[]): Value {
  if (key === undefined) return (isSecret(value) ? value : asSecret(value)) as Value;
  if (typeof value !== "object" || value === null || isSecret(value)) return value;
  if (Array.isArray(value)) return value.with(Number(key), withSecretAt(value[Number(key)], rest)) as Value;
  return { ...value, [key]: withSecretAt((value as Props)[key], rest) };
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && isSecretValue(value);
}

/**
 * Converts an error so that the dynamic provider's process can return it to the engine. The process prints
 * `String(error)` and the stack to the user's terminal, so both contain only text that helps the user.
 */
export function plainFailure(error: Error): Error {
  const code = error instanceof DisplayError ? error.code : "internal";
  const failure = new Error(shortened([error.message], failureRoom.text)[0]);
  failure.stack = failure.message;
  failure.toString = () => `agentserver ${code}`;
  return failure;
}

/**
 * Returns the error that makes the engine keep the resource in state and display all reasons as one. The properties of
 * the error must contain `__provider`; otherwise, later operations could not find the provider's code.
 */
export function partialFailure(kind: AnyKind, call: Props, { id, state, problem }: Required<Outcome>): Error {
  const reasons = shortened(problem.reasons, failureRoom.reasons);
  const failure = plainFailure(problem.error);
  // The engine shows only the reasons.
  failure.message = shortened([failure.message], failureRoom.message)[0]!;
  // The engine counts each reason as an error, so a failure has exactly one reason.
  return Object.assign(failure, {
    id,
    properties: fittingProperties(kind, call, state),
    reasons: [reasons.join("\n")],
  });
}

/** Returns the largest form of the state that fits into a failure, together with the hidden properties of the call. */
function fittingProperties(kind: AnyKind, { __files: _listing, ...call }: Props, state: ManagedState): Props {
  const { encoded: properties, fits } = fittingState(kind, state, (smaller) => {
    const encoded = encodeState(kind, call, smaller);
    return { encoded, size: encodedSize(encoded) };
  });
  if (fits) return properties;
  // There may be thousands of paths of secrets, and the next call sends its own.
  const { secretPaths: _paths, secretOutputs: _outputs, ...others } = (call["__call"] ?? {}) as Props;
  const names = [...new Set(secretOutputsIn(call).map((path) => path.split(".")[0]!))];
  return { ...properties, __call: { ...others, ...(names.length > 0 && { secretOutputs: names }) } };
}
