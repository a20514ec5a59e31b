import { createHash } from "node:crypto";
import type { DeploymentInputs } from "./inputs";
import type { DeploymentState, Props } from "./state";

/** Inputs that a state can do without for a while, in the order in which they are left out. */
const omittable = [
  "secrets",
  "sourceConfig.resourceSpec",
  "rollout",
  "sourceConfig",
  "sourceRevisionConfig",
] as const;

/**
 * A state in ever smaller forms: inputs that are large give way to their digests, by which the next operation knows
 * whether they have changed since.
 */
export function* smallerAndSmaller(state: DeploymentState): Generator<DeploymentState> {
  yield state;
  let smaller = state;
  for (const path of omittable) {
    const digest = digestOf(at(state, path));
    smaller = { ...without(smaller, path), omitted: { ...smaller.omitted, [path]: digest } };
    yield smaller;
  }
  yield { ...smaller, url: undefined, serving: undefined };
}

/** The state with what was left out of it, as far as it is still wanted; what is wanted otherwise has changed. */
export function withOmitted(state: DeploymentState, wanted: DeploymentInputs): DeploymentState {
  let whole = state;
  for (const [path, digest] of Object.entries(state.omitted ?? {})) {
    const value = at(wanted, path);
    if (digestOf(value) === digest) whole = withValue(whole, path, value);
  }
  return whole;
}

function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(value === undefined ? "" : JSON.stringify(sorted(value)))
    .digest("hex");
}

/** The same value with keys in an order of their own: that of a program may change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

function at(from: object, path: string): unknown {
  return path.split(".").reduce<unknown>((part, key) => (part as Props | undefined)?.[key], from);
}

function without(state: DeploymentState, path: string): DeploymentState {
  // These groups are never missing as a whole.
  const nothing = path === "sourceConfig" || path === "sourceRevisionConfig" ? {} : undefined;
  return withValue(state, path, nothing);
}

function withValue(state: DeploymentState, path: string, value: unknown): DeploymentState {
  const [group = "", field] = path.split(".");
  if (field === undefined) return { ...state, [group]: value };
  return { ...state, [group]: { ...(at(state, group) as object), [field]: value } };
}
