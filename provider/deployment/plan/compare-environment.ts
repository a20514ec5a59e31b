import { notKnownYet } from "../../resource/inputs/unknown";
import { valueOf, type EnvironmentInputs, type Variables } from "../inputs/environment";
import type { IsSecret } from "../../resource/call";
import type { DeploymentChange, Effect } from "./reasons";

type MapName = keyof EnvironmentInputs;

const places = ["secrets", "environmentVariables"] as const satisfies readonly MapName[];

/** A variable of an environment: the input that contains it, and its value. */
interface Entry {
  place: MapName;
  value: unknown;
}

/**
 * Returns the changes to plain variables and secrets. Both are part of the same environment, so moving a variable from
 * one to the other changes nothing on the server.
 * @param effect effect of a change to the environment
 * @param isUnknown true if the previous plain variables are not known
 */
export function compareEnvironment(
  before: EnvironmentInputs,
  wanted: EnvironmentInputs,
  effect: Effect,
  isSecret: IsSecret,
  isUnknown: boolean,
): DeploymentChange[] {
  const unknown = places.filter((place) => (wanted[place] as unknown) === notKnownYet);
  if (unknown.length > 0) return unknown.map((path) => ({ path, effect, unknown: true }));
  const released =
    wanted.secrets === undefined
      ? places.filter((place) => wanted[place] === undefined && before[place] !== undefined)
      : [];
  const state = released.map((path): DeploymentChange => ({ path, effect: "state" }));
  if (places.every((place) => wanted[place] === undefined)) return state;
  const changes = namesToCompare(before, wanted).flatMap((name) =>
    compareOne(name, entryOf(before, name), entryOf(wanted, name), effect, isSecret),
  );
  const all = [...state, ...changes];
  if (changes.some((change) => change.effect !== "state")) return all;
  // From now on, variables that others have added are removed. It is not known at this point whether there are any.
  if (before.secrets === undefined && wanted.secrets !== undefined)
    return [...all, { path: "secrets", effect, unknown: true }];
  if (before.environmentVariables === undefined && wanted.environmentVariables !== undefined)
    return [...all, { path: "environmentVariables", effect: isUnknown ? effect : "state" }];
  return all;
}

/** Returns the names to compare. If `secrets` is not managed, only the names of plain variables are compared. */
function namesToCompare(before: EnvironmentInputs, wanted: EnvironmentInputs): string[] {
  const managed = wanted.secrets === undefined ? (["environmentVariables"] as const) : places;
  const names = managed.flatMap((place) => [...namesOf(before[place]), ...namesOf(wanted[place])]);
  return [...new Set(names)].sort();
}

function compareOne(
  name: string,
  from: Entry | undefined,
  to: Entry | undefined,
  effect: Effect,
  isSecret: IsSecret,
): DeploymentChange[] {
  const path = `${(to ?? from)!.place}.${name}`;
  if (to?.value === notKnownYet) return [{ path, effect, unknown: true }];
  const moves = from !== undefined && to !== undefined && from.place !== to.place;
  if (from?.value === to?.value) return moves ? [{ path, effect: "state" }] : [];
  // A value that is a secret on either side is not displayed on the other.
  const isHidden = [from, to].some((entry) => entry?.place === "secrets") || isSecret(path);
  return [isHidden ? { path, effect } : { path, effect, values: { from: from?.value, to: to?.value } }];
}

function entryOf(inputs: EnvironmentInputs, name: string): Entry | undefined {
  for (const place of places) {
    const value: unknown = valueOf(inputs[place], name);
    if (value !== undefined) return { place, value };
  }
  return undefined;
}

function namesOf(variables: Variables | undefined): string[] {
  return Object.keys(variables ?? {});
}
