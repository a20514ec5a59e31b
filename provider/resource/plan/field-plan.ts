import { isSameJson } from "../inputs/json";
import { type Change, type CommonCode, type CommonEffect, type FieldCode, type Plan, reasonsAbout } from ".";
import type { PlanQuestion } from "../kind";
import { hasUnknown, notKnownYet } from "../inputs/unknown";
import { at, isGroup } from "../inputs/values";

/** Effect of a change to an input: a constant, or a function of the values. */
export type FieldEffect = CommonEffect | ((from: unknown, to: unknown) => CommonEffect);

/** Effect of changes to a map in which `null` clears an entry. */
interface MapEffect {
  map: FieldEffect;
}

/** Effects of changes to the inputs of a kind, by path. */
export type FieldEffects = Readonly<Record<string, FieldEffect | MapEffect>>;

/** Returns the effect of changing a field whose value the service keeps if the program omits the field. */
export function managed(effect: CommonEffect): FieldEffect {
  return (_from, to) => (to === undefined ? "state" : effect);
}

type Changed = Change<CommonEffect>;

const codes: readonly FieldCode<CommonEffect>[] = [
  "replace",
  "replace?",
  "patch",
  "patch?",
  "along",
  "along?",
  "state",
  "state?",
];

/**
 * Plans changes for a kind whose inputs each have their own effect. Objects are compared field by field, so that a
 * reason lists the fields that have changed.
 * @param effects effect of each input, by path
 * @param deletesFirst true if a resource to replace is deleted before the new one is created
 * @param outputs names of the outputs that a change on the server may change
 */
export function planByFields(
  effects: FieldEffects,
  { state, wanted, isSecret, replacesOn }: PlanQuestion<object, object>,
  deletesFirst: (changes: readonly Changed[]) => boolean,
  outputs: readonly string[] = [],
): Plan<CommonCode> & { changes: Changed[] } {
  const ofFields = Object.entries(effects).flatMap(([path, rule]) => {
    const [from, to] = [at(state, path), at(wanted, path)];
    const effect = typeof rule === "object" ? rule.map : rule;
    const asked = typeof effect === "string" ? effect : effect(from, to);
    const found = differences(path, from, to, asked);
    return typeof rule === "object" ? found.map((change) => withoutClearedEntry(path, change)) : found;
  });
  const changes = [...serverChanges(state, wanted), ...ofFields].map((change) => asShown(change, isSecret));
  const all = changes.map((change) => (replacesOn(change.path) ? replacing(change) : change));
  const replaces = all.some(({ effect, unknown }) => effect === "replace" && !unknown);
  return {
    action: replaces ? "replace" : all.length > 0 ? "update" : "none",
    deletesFirst: deletesFirst(all),
    changes: all,
    changedOutputs: all.some(({ effect }) => effect === "patch") ? outputs : [],
    reasons: reasonsAbout(all, replaces)(...codes),
  };
}

/**
 * Returns the changes to the inputs that specify the agent server. A different deployment means a different server,
 * even if its ID is unknown because it has not been created yet. A new or unknown address of the same deployment does
 * not replace the resource.
 */
function serverChanges(state: object, wanted: object): Changed[] {
  const [from, to] = [at(state, "deployment.id"), at(wanted, "deployment.id")];
  const path = "deployment.id";
  const ofDeployment: Changed[] =
    to === notKnownYet ? [{ path, effect: "replace" }] : differences(path, from, to, "replace");
  const ofAddress = differences(
    "deployment.url",
    at(state, "deployment.url"),
    at(wanted, "deployment.url"),
    "state",
  );
  const ofControlPlane = differences(
    "deployment.connection",
    at(state, "deployment.connection"),
    at(wanted, "deployment.connection"),
    "state",
  );
  const ofConnection = (["url", "apiKeyFrom"] as const).flatMap((field) => {
    const place = `connection.${field}`;
    return differences(place, at(state, place), at(wanted, place), field === "url" ? "replace" : "state");
  });
  return [
    ...ofDeployment,
    ...ofAddress.filter(({ unknown }) => !unknown),
    ...ofControlPlane,
    ...ofConnection,
  ];
}

/** If an entry of the map at a path is already cleared, omitting it changes only state. */
function withoutClearedEntry(path: string, change: Changed): Changed {
  const { from, to } = change.values ?? {};
  const isEntry = !change.path.slice(path.length + 1).includes(".");
  return isEntry && from === null && to === undefined ? { ...change, effect: "state" } : change;
}

function replacing(change: Changed): Changed {
  return { ...change, effect: "replace" };
}

function asShown({ values, ...change }: Changed, isSecret: (path: string) => boolean): Changed {
  return values === undefined || isSecret(change.path) ? change : { ...change, values };
}

/** Returns the differences between two values, by path. Objects are compared field by field, and lists as a whole. */
function differences(path: string, from: unknown, to: unknown, effect: CommonEffect): Changed[] {
  if (isGroup(from) && isGroup(to)) {
    const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])];
    return keys.flatMap((key) => differences(`${path}.${key}`, from[key], to[key], effect));
  }
  if (hasUnknown(to)) return [{ path, effect, unknown: true }];
  return isSameJson(from, to) ? [] : [{ path, effect, values: { from, to } }];
}

/**
 * Returns a predicate for changes after which the new resource may have the same ID on the same server as the old one.
 * A different address may also belong to the same server. In these cases, the old resource has to be deleted first.
 * @param id name of the input with the ID
 */
export function replacesInPlace(id: string): (changes: readonly Change[]) => boolean {
  return (changes) => {
    const replaced = changes.filter(({ effect }) => effect === "replace").map(({ path }) => path);
    return changesConnection(changes) || !(replaced.includes(id) || replaced.includes("deployment.id"));
  };
}

/**
 * True if the address of the agent server changes. The new address may belong to the same server, where the old and the
 * new resource cannot both exist.
 */
export function changesConnection(changes: readonly Change[]): boolean {
  return changes.some(({ path }) => path === "connection.url");
}
