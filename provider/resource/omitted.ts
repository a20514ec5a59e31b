import { createHash } from "node:crypto";
import { isSameJson, sortedJson } from "./inputs/json";
import { hasUnknown } from "./inputs/unknown";
import { at, withValueAt, type Props } from "./inputs/values";
import { inputsOf, type AnyKind } from "./kind";
import type { ManagedState } from "./managed";

type OmittingKind = Pick<AnyKind, "omittable" | "restorableOutputs" | "outputs">;

/** Minimum size of a value for it to be omitted, in characters of JSON text. */
const smallest = 500;

/**
 * Yields the state with more and more values omitted. The largest inputs are replaced by digests first, because the
 * next operation can still detect changes to them. Then, outputs that a read restores are omitted, followed by all
 * other large outputs.
 */
export function* smallerAndSmaller<State extends ManagedState>(
  kind: OmittingKind,
  state: State,
): Generator<State> {
  yield state;
  let smaller = state;
  for (const path of largeInputs(kind, state)) {
    const omitted = { ...smaller.omitted, [path]: digestOf(at(state, path)) };
    smaller = withValueAt({ ...(smaller as Props), omitted }, path, kind.omittable?.[path]) as State;
    yield smaller;
  }
  const large = Object.keys(smaller).filter(
    (name) => name !== "omitted" && kind.outputs.includes(name) && sizeOf(at(smaller, name)) >= smallest,
  );
  for (const names of [kind.restorableOutputs ?? [], large]) {
    smaller = { ...smaller, ...Object.fromEntries(names.map((name) => [name, undefined])) };
    yield smaller;
  }
}

/**
 * Restores the inputs that were omitted from a state, if the program still specifies the same values. `omitted` in the
 * result lists only the other omitted inputs, which have changed and whose previous values are unknown.
 */
export function withOmitted<State extends Partial<ManagedState>>(
  { omittable = {} }: Pick<AnyKind, "omittable">,
  state: State,
  wanted: object,
): State {
  if (!state.omitted) return state;
  let whole: Props = { ...state };
  const changed: Record<string, string> = {};
  for (const [path, digest] of Object.entries(state.omitted)) {
    const value = at(wanted, path);
    // A refresh may have found the current value on the server.
    const found = at(state, path);
    const instead = omittable[path];
    if (hasUnknown(value) || digestOf(value) !== digest) changed[path] = digest;
    else if (found === undefined || isSameJson(found, instead)) whole = withValueAt(whole, path, value);
    else if (instead !== undefined)
      whole = withValueAt(whole, path, { ...(value as object), ...(found as object) });
  }
  return { ...whole, omitted: changed } as unknown as State;
}

/**
 * Returns the paths of the large inputs, largest first. The size of an input does not include parts with separate
 * paths.
 */
function largeInputs(kind: OmittingKind, state: ManagedState): string[] {
  const paths = [
    ...new Set([...Object.keys(kind.omittable ?? {}), ...Object.keys(inputsOf(kind, { ...state }))]),
  ];
  const sizes = paths.map((path) => {
    const inside = paths.filter((other) => other.startsWith(`${path}.`));
    return { path, size: sizeOf(at(state, path)) - sum(inside.map((other) => sizeOf(at(state, other)))) };
  });
  const large = sizes.filter(({ size }) => size >= smallest).sort((one, other) => other.size - one.size);
  return large.map(({ path }) => path);
}

function sizeOf(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(value === undefined ? "" : sortedJson(value))
    .digest("hex");
}
