import { isGiven } from "../../resource/inputs/values";
import type { Dialect } from "../../control-plane/dialects";
import { isSameJson } from "../../resource/inputs/json";
import {
  rolloutInputs,
  sourceConfigInputs,
  sourceRevisionConfigInputs,
  type DeploymentInputs,
} from "../inputs/inputs";
import { compareEnvironment } from "./compare-environment";
import { isSameDeploymentType } from "../inputs/deployment-type";
import { patchOf, settingRevises, type SettingName } from "../inputs/settings";
import { hasUnknown, notKnownYet } from "../../resource/inputs/unknown";
import type { IsSecret } from "../../resource/call";
import type { DeploymentChange, Effect } from "./reasons";

type Group = Record<string, unknown>;

/** Context for comparing one input. */
interface ComparisonContext {
  before: DeploymentInputs;
  wanted: DeploymentInputs;
  dialect: Dialect;
  isSecret: IsSecret;
  unknown: readonly string[];
  differ: ReturnType<typeof differences>;
}

type CompareInput<Field extends keyof DeploymentInputs> = (
  from: DeploymentInputs[Field],
  to: DeploymentInputs[Field],
  compared: ComparisonContext,
) => DeploymentChange[];

const sourceFields = Object.keys(sourceConfigInputs.shape);
const revisionFields = Object.keys(sourceRevisionConfigInputs.shape);
const rolloutFields = Object.keys(rolloutInputs.shape);

/** Inputs that determine the contents of a folder source. */
const folderFields = ["folder", "dependencyFolders", "graphConfigPath"];

/** Comparison of each input. The type requires an entry for every input. */
const comparisons: { [Field in keyof Required<DeploymentInputs>]: CompareInput<Field> } = {
  // If an agent is specified instead, the server has generated the name.
  name: (from, to, { before, wanted, differ }) =>
    to === undefined && (before.agent ?? wanted.agent) !== undefined
      ? []
      : differ("name", from, to, "replace"),
  agent: (from, to, { differ }) => {
    if (to === undefined) return differ("agent", from, to, "state");
    return differ("agent", from, to, from === undefined ? "confirm" : "replace");
  },
  source: (from, to, { differ }) => differ("source", from, to, "replace"),
  sourceConfig: (from, to, { dialect, differ }) => {
    const [before, wanted] = groups(from, to);
    const effectOf = (field: string): Effect => {
      if (field === "deploymentType" && isSameDeploymentType(before[field], wanted[field])) return "state";
      if (dialect.immutableSourceFields.has(field))
        return isGiven(before[field]) && isGiven(wanted[field]) ? "replace" : "confirm";
      return dialect.revises.sourceConfigFields.has(field) || dialect.nextRevisionFields.has(field)
        ? "revision"
        : "patch";
    };
    return sourceFields.flatMap((field) =>
      differ(`sourceConfig.${field}`, before[field], wanted[field], managed(wanted[field], effectOf(field))),
    );
  },
  sourceRevisionConfig: (from, to, { differ }) => {
    const [before, wanted] = groups(from, to);
    const contentHash = wantedHash(wanted);
    // The same contents in another folder are the same source; the hash includes the path of the configuration.
    const isSame = isGiven(contentHash) && before["contentHash"] === contentHash;
    return revisionFields.flatMap((field) => {
      const value = field === "contentHash" ? contentHash : wanted[field];
      const effect = folderFields.includes(field) && isSame ? "state" : managed(value, "revision");
      const changes = differ(`sourceRevisionConfig.${field}`, before[field], value, effect);
      return field === "contentHash" ? changes.map((change) => withContentSummary(change)) : changes;
    });
  },
  // Plain variables are compared together with secrets, because they are one environment.
  secrets: (_from, _to, { before, wanted, dialect, isSecret, unknown }) =>
    compareEnvironment(
      before,
      wanted,
      dialect.revises.secrets || wanted.rollout?.onSecretChange === "revise" ? "revision" : "patch",
      isSecret,
      unknown.includes("environmentVariables"),
    ),
  environmentVariables: () => [],
  displayName: compareSetting("displayName"),
  trackedRepoRef: compareSetting("trackedRepoRef"),
  secretReferences: compareSetting("secretReferences"),
  shareable: compareSetting("shareable"),
  routeThroughGateway: compareSetting("routeThroughGateway"),
  deploymentTier: compareSetting("deploymentTier"),
  computeTier: compareSetting("computeTier"),
  databaseTier: compareSetting("databaseTier"),
  rollout: (from, to, { differ }) => {
    const [before, wanted] = groups(from, to);
    return rolloutFields.flatMap((field) =>
      differ(
        `rollout.${field}`,
        before[field],
        wanted[field],
        field === "triggers" ? managed(wanted[field], "revision") : "state",
      ),
    );
  },
  adopt: (from, to, { differ }) => differ("adopt", from, to, "state"),
  deletionProtection: (from, to, { differ }) => differ("deletionProtection", from, to, "state"),
  connection: (from, to, { differ }) => differ("connection", from, to, "state"),
};

/** Returns the hash of a folder source. It can be computed only if the inputs that determine it are known. */
function wantedHash(wanted: Group): unknown {
  const isUnknown = isGiven(wanted["folder"]) && folderFields.some((field) => hasUnknown(wanted[field]));
  return isUnknown ? notKnownYet : wanted["contentHash"];
}

/** Describes a change to the contents of a folder, because hashes are not meaningful to users. */
function withContentSummary({ values, ...change }: DeploymentChange): DeploymentChange {
  if (!values) return change;
  const { from, to } = values;
  if (!isGiven(to)) return { ...change, summary: "the source is no longer a folder" };
  if (!isGiven(from)) return { ...change, summary: "the source is now a folder" };
  // The hash is empty if the newest revision was not created from an upload of this resource.
  if (from === "") return { ...change, summary: "the newest revision has different contents" };
  return { ...change, summary: "the contents of the folder changed" };
}

function compareSetting<Field extends SettingName>(setting: Field): CompareInput<Field> {
  return (from, to, { dialect, differ }) =>
    differ(setting, from, to, managed(to, settingEffect(setting, from, to, dialect)));
}

function settingEffect(setting: SettingName, from: unknown, to: unknown, dialect: Dialect): Effect {
  if (patchOf(setting, dialect) === undefined) return isGiven(from) && isGiven(to) ? "replace" : "confirm";
  return settingRevises(setting, dialect) ? "revision" : "patch";
}

/**
 * Returns every field in which the desired deployment differs from the current one, with its effect.
 * @param unknown paths of inputs that have changed and whose previous values are not known
 */
export function compare(
  before: DeploymentInputs,
  wanted: DeploymentInputs,
  dialect: Dialect,
  isSecret: IsSecret,
  unknown: readonly string[] = [],
): DeploymentChange[] {
  const compared = { before, wanted, dialect, isSecret, unknown, differ: differences(isSecret) };
  const compareOne = <Field extends keyof DeploymentInputs>(field: Field) =>
    (comparisons[field] as CompareInput<Field>)(before[field], wanted[field], compared);
  return (Object.keys(comparisons) as (keyof DeploymentInputs)[]).flatMap((field) => compareOne(field));
}

/** Returns the effect of a change to a field. If the field is omitted, the server manages it and nothing is sent. */
function managed(wanted: unknown, effect: Effect): Effect {
  return wanted === undefined ? "state" : effect;
}

function differences(isSecret: IsSecret) {
  return (path: string, from: unknown, to: unknown, effect: Effect): DeploymentChange[] => {
    if (hasUnknown(to)) return [{ path, effect, unknown: true }];
    if (isSameJson(from, to)) return [];
    if (isSecret(path)) return [{ path, effect }];
    return [{ path, effect, values: { from, to } }];
  };
}

/** Returns the old and new values of a group of fields. If the group is unknown, so is each of its fields. */
function groups(before: unknown, wanted: unknown): [Group, Group] {
  return [asGroup(before), asGroup(wanted)];
}

function asGroup(value: unknown): Group {
  if (value === notKnownYet) return new Proxy({}, { get: () => notKnownYet });
  return (value ?? {}) as Group;
}
