import { createHash } from "node:crypto";
import type { AnyKind } from "./kind";
import type { ManagedState } from "./managed";
import { sortedJson } from "./inputs/json";
import { hasUnknown } from "./inputs/unknown";
import { at, withValueAt, type Props } from "./inputs/values";

/**
 * A state in ever smaller forms: inputs that are large give way to their digests, by which the next operation knows
 * whether they have changed since.
 */
export function* smallerAndSmaller<State extends ManagedState>(
  kind: Pick<AnyKind, "omittable" | "dispensable">,
  state: State,
): Generator<State> {
  yield state;
  let smaller = state;
  for (const [path, instead] of Object.entries(kind.omittable ?? {})) {
    const omitted = { ...smaller.omitted, [path]: digestOf(at(state, path)) };
    smaller = { ...(withValueAt({ ...smaller } as Props, path, instead) as State), omitted };
    yield smaller;
  }
  yield { ...smaller, ...Object.fromEntries((kind.dispensable ?? []).map((name) => [name, undefined])) };
}

/** The state with what was left out of it, as far as it is still wanted; what is wanted otherwise has changed. */
export function withOmitted<State extends Partial<ManagedState>>(state: State, wanted: object): State {
  let whole = state;
  for (const [path, digest] of Object.entries(state.omitted ?? {})) {
    const value = at(wanted, path);
    if (!hasUnknown(value) && digestOf(value) === digest)
      whole = withValueAt({ ...whole }, path, value) as State;
  }
  return whole;
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(value === undefined ? "" : sortedJson(value))
    .digest("hex");
}
