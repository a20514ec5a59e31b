import type { Dialect } from "../control-plane/dialects";
import { isSameJson } from "../resource/json";
import { sourceConfigInputs, type DeploymentInputs } from "./inputs";
import { hasUnknown, notKnownYet } from "../resource/unknown";
import type { IsSecret } from "../resource/call";
import { describeValue, type Change, type Effect } from "../resource/plan/change";

type Group = Record<string, unknown>;

const sourceFields = Object.keys(sourceConfigInputs.shape);
const revisionFields = ["repoRef", "graphConfigPath", "imageUri"];

/** Every field in which the wanted deployment differs from the one in state, with what that asks for. */
export function compare(
  before: DeploymentInputs,
  wanted: DeploymentInputs,
  dialect: Dialect,
  isSecret: IsSecret,
): Change[] {
  const differ = differences(isSecret);
  const [oldSource, newSource] = groups(before.sourceConfig, wanted.sourceConfig);
  const [oldRevision, newRevision] = groups(before.sourceRevisionConfig, wanted.sourceRevisionConfig);
  const [oldRollout, newRollout] = groups(before.rollout, wanted.rollout);
  const effectOf = (field: string): Effect => {
    if (dialect.fixedSourceFields.has(field))
      return isGiven(oldSource[field]) && isGiven(newSource[field]) ? "replace" : "confirm";
    return dialect.revises.sourceConfigFields.has(field) ? "revision" : "patch";
  };
  const secretEffect: Effect =
    dialect.revises.secrets || wanted.rollout?.onSecretChange === "revise" ? "revision" : "patch";
  return [
    ...differ("name", before.name, wanted.name, "replace"),
    ...differ("source", before.source, wanted.source, "replace"),
    ...sourceFields.flatMap((field) => {
      const [from, to] = [oldSource[field], newSource[field]];
      return differ(`sourceConfig.${field}`, from, to, managed(to, effectOf(field)));
    }),
    ...revisionFields.flatMap((field) =>
      differ(
        `sourceRevisionConfig.${field}`,
        oldRevision[field],
        newRevision[field],
        managed(newRevision[field], "revision"),
      ),
    ),
    ...compareSecrets(before.secrets, wanted.secrets, secretEffect),
    ...differ(
      "rollout.triggers",
      oldRollout.triggers,
      newRollout.triggers,
      managed(newRollout.triggers, "revision"),
    ),
    ...["wait", "timeout", "onSecretChange", "onConflict", "onFailure", "verify"].flatMap((field) =>
      differ(`rollout.${field}`, oldRollout[field], newRollout[field], "state"),
    ),
    ...differ("adopt", before.adopt, wanted.adopt, "state"),
  ];
}

/** A field that is no longer given goes back to the server: nothing is sent for it. */
function managed(wanted: unknown, effect: Effect): Effect {
  return wanted === undefined ? "state" : effect;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function differences(isSecret: IsSecret) {
  return (path: string, from: unknown, to: unknown, effect: Effect): Change[] => {
    if (hasUnknown(to)) return [{ path, effect, unknown: true }];
    if (isSameJson(from, to)) return [];
    if (isSecret(path)) return [{ path, effect }];
    return [{ path, effect, values: { from: describeValue(from), to: describeValue(to) } }];
  };
}

function compareSecrets(
  before: Record<string, string> | undefined,
  wanted: Record<string, string> | undefined,
  effect: Effect,
): Change[] {
  if (wanted === undefined) return before === undefined ? [] : [{ path: "secrets", effect: "state" }];
  if (hasUnknownMap(wanted)) return [{ path: "secrets", effect, unknown: true }];
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(wanted)])].sort();
  const changed = names.filter((name) => own(before, name) !== own(wanted, name));
  const changes: Change[] = changed.map((name) => {
    const unknown = (own(wanted, name) as unknown) === notKnownYet;
    return unknown ? { path: `secrets.${name}`, effect, unknown } : { path: `secrets.${name}`, effect };
  });
  // An empty map that was not managed before clears what the server has.
  if (before === undefined && changes.length === 0) return [{ path: "secrets", effect }];
  return changes;
}

function hasUnknownMap(secrets: unknown): boolean {
  return secrets === notKnownYet;
}

function own(map: Record<string, string> | undefined, name: string): string | undefined {
  return map && Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Both sides of a group of fields; an unknown group makes each of its fields unknown. */
function groups(before: unknown, wanted: unknown): [Group, Group] {
  return [asGroup(before), asGroup(wanted)];
}

function asGroup(value: unknown): Group {
  if (value === notKnownYet) return new Proxy({}, { get: () => notKnownYet });
  return (value ?? {}) as Group;
}
