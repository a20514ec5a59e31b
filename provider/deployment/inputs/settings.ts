import { z } from "zod";
import type { DeploymentRecord, WireSecretReference } from "../../../wire";
import type { Dialect } from "../../control-plane/dialects";
import { nullableText, text } from "../../resource/inputs/shape";
import { variableName } from "./environment";

/** Deployment settings other than source and environment. The control plane sets the values of omitted settings. */
export const settingInputs = z.strictObject({
  displayName: nullableText,
  trackedRepoRef: nullableText,
  secretReferences: z.record(variableName, z.strictObject({ secretName: text, secretKey: text })).nullish(),
  shareable: z.boolean().nullish(),
  routeThroughGateway: z.boolean().nullish(),
  deploymentTier: nullableText,
  computeTier: nullableText,
  databaseTier: nullableText,
});

export type SettingInputs = z.infer<typeof settingInputs>;
export type SettingName = keyof SettingInputs;

/** Names of the settings in the API, keyed by the user's names. */
export const settingNames = {
  displayName: "display_name",
  trackedRepoRef: "tracked_repo_ref",
  secretReferences: "secret_references",
  shareable: "shareable",
  routeThroughGateway: "route_through_gateway",
  deploymentTier: "deployment_tier",
  computeTier: "compute_tier",
  databaseTier: "database_tier",
} as const satisfies Record<SettingName, string>;

/** Names of all settings, as users write them. */
export const allSettings = Object.keys(settingNames) as SettingName[];

/** True if the path refers to a setting. */
export function isSetting(path: string): path is SettingName {
  return Object.hasOwn(settingNames, path);
}

/**
 * Returns the request that changes a setting of an existing deployment; `undefined` if the setting cannot be changed or
 * the dialect does not support it.
 */
export function patchOf(setting: SettingName, { table }: Dialect): "deployment" | "tiers" | undefined {
  if (isAmong(setting, table.fields.patch)) return "deployment";
  return isAmong(setting, table.fields.resourceTiers) ? "tiers" : undefined;
}

/** True if the setting can be specified in the create request. */
export function isCreatedWith(setting: SettingName, { table }: Dialect): boolean {
  return isAmong(setting, table.fields.create);
}

/** True if a change to the setting creates a revision. */
export function settingRevises(setting: SettingName, { table }: Dialect): boolean {
  return isAmong(setting, table.revises.others) || isAmong(setting, table.fields.resourceTiers);
}

/** Returns the settings in the inputs whose names satisfy the predicate. */
export function settingsIn(
  inputs: object,
  fits: (setting: SettingName) => boolean = () => true,
): SettingInputs {
  const given = inputs as Record<string, unknown>;
  return Object.fromEntries(
    allSettings
      .filter((setting) => given[setting] !== undefined && fits(setting))
      .map((setting) => [setting, given[setting]]),
  );
}

/** Converts settings to the format of the API. */
export function settingsToWire(settings: SettingInputs): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [
      settingNames[setting as SettingName],
      setting === "secretReferences" ? referencesToWire(value as SettingInputs["secretReferences"]) : value,
    ]),
  );
}

/** Returns the settings that a record reports. */
export function settingsFromWire(record: DeploymentRecord): SettingInputs {
  const { secret_references: references, source_config: source } = record;
  const reported = {
    displayName: record.display_name,
    trackedRepoRef: source?.repo_branch,
    secretReferences: references && referencesFromWire(references),
    shareable: record.shareable,
    routeThroughGateway: record.route_through_gateway,
    deploymentTier: record.deployment_tier,
    computeTier: record.compute_tier,
    databaseTier: record.database_tier,
  } satisfies SettingInputs;
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => value != null));
}

/**
 * Returns the settings of a record that differ from those of a new deployment.
 * @param repoRef the branch of the newest revision
 */
export function chosenSettings(record: DeploymentRecord, repoRef: string | null | undefined): SettingInputs {
  const { computeTier, databaseTier, deploymentTier, ...reported } = settingsFromWire(record);
  const isSplit = computeTier != null && databaseTier != null && computeTier !== databaseTier;
  const chosen: SettingInputs = {
    ...(reported.displayName !== record.name && { displayName: reported.displayName }),
    ...(reported.trackedRepoRef !== repoRef && { trackedRepoRef: reported.trackedRepoRef }),
    ...(Object.keys(reported.secretReferences ?? {}).length > 0 && {
      secretReferences: reported.secretReferences,
    }),
    ...(reported.shareable && { shareable: true }),
    ...(reported.routeThroughGateway && { routeThroughGateway: true }),
    ...(isSplit ? { computeTier, databaseTier } : { deploymentTier: deploymentTier ?? computeTier }),
  };
  return settingsIn(chosen);
}

function referencesToWire(references: SettingInputs["secretReferences"]): WireSecretReference[] | null {
  if (!references) return null;
  return Object.entries(references).map(([name, { secretName, secretKey }]) => ({
    name,
    secret_name: secretName,
    secret_key: secretKey,
  }));
}

function referencesFromWire(references: readonly WireSecretReference[]): SettingInputs["secretReferences"] {
  const entries = references.map(({ name, secret_name: secretName, secret_key: secretKey }) => [
    name,
    { secretName, secretKey },
  ]);
  return Object.fromEntries(entries) as SettingInputs["secretReferences"];
}

function isAmong(setting: SettingName, fields: readonly string[]): boolean {
  return fields.includes(settingNames[setting]);
}
