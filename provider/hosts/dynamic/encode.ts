import { encodedSize } from "../../engine/encoded-size";
import { asSecret } from "../../engine/sentinels";
import { shortened } from "../../engine/shorten";
import { DisplayError, type Outcome } from "../../core/core";
import { type AnyKind, keptSecretOutputs, secretCopiesIn } from "../../resource/kind";
import type { ManagedState } from "../../resource/managed";
import { at, type Props } from "../../resource/inputs/values";
import { failureRoom, fittingState } from "../failure-room";
import { hiddenIn, secretOutputsIn, secretPathsIn } from "./decode";

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
  const copies = secretCopiesIn(kind, all, secretPathsIn(call));
  const kept = secretOutputsIn(call).filter((path) => at(all, path) !== undefined);
  const paths = new Set([...copies.map((keys) => keys.join(".")), ...kept]);
  const marked = [...paths].map((path) => path.split("."));
  return encode([...marked, ...entriesOf(all, "omitted")].reduce(withSecretAt, all));
}

/**
 * Returns the properties of an update, with the paths of the outputs that stay secret added to them. These outputs
 * repeat a previous value whose input is no longer marked as secret in the program. The engine does not report which
 * values were secret in the previous state.
 */
export function withSecretOutputs(kind: AnyKind, olds: Props, news: Props, state: ManagedState): Props {
  const after: Props = { ...state };
  const marked = new Set(secretCopiesIn(kind, after, secretPathsIn(news)).map((keys) => keys.join(".")));
  const earlier = [...secretPathsIn(olds), ...secretOutputsIn(olds)];
  const secretOutputs = keptSecretOutputs(kind, olds, earlier, after)
    .map((keys) => keys.join("."))
    .filter((path) => !marked.has(path));
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

/** Returns inputs in which values that the provider has computed from secret values are marked as secret. */
export function withSecretCopies(kind: AnyKind, call: Props, inputs: Props): Props {
  return secretCopiesIn(kind, inputs, secretPathsIn(call)).reduce(withSecretAt, inputs);
}

function withSecretEntries(kind: AnyKind, props: Props): Props {
  return (kind.secretMaps ?? []).flatMap((name) => entriesOf(props, name)).reduce(withSecretAt, props);
}

function entriesOf(props: Props, name: string): string[][] {
  return Object.keys(props[name] ?? {}).map((key) => [name, key]);
}

function withSecretAt(props: Props, [key = "", ...rest]: string[]): Props {
  const value = props[key];
  return { ...props, [key]: rest.length > 0 ? withSecretAt(value as Props, rest) : asSecret(value) };
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
  const { secretPaths: _paths, ...others } = (call["__call"] ?? {}) as Props;
  return { ...properties, __call: others };
}
