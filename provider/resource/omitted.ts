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

/**
 * Restores what was left out of a state, as far as it is still desired. `omitted` of the result has the rest: inputs that
 * have changed and whose earlier values are not known.
 */
export function withOmitted<State extends Partial<ManagedState>>(state: State, wanted: object): State {
  let whole = state;
  const changed: Record<string, string> = {};
  for (const [path, digest] of Object.entries(state.omitted ?? {})) {
    const value = at(wanted, path);
    if (!hasUnknown(value) && digestOf(value) === digest)
      whole = withValueAt({ ...whole }, path, value) as State;
    else changed[path] = digest;
  }
  return state.omitted ? { ...whole, omitted: changed } : whole;
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(value === undefined ? "" : sortedJson(value))
    .digest("hex");
}
