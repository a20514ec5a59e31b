import type { DeploymentRecord } from "../../../wire";
import { asError } from "../../errors";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { DeploymentInputs } from "../inputs/inputs";
import { merge } from "../current";
import type { DeploymentPatch } from "../mapping";
import { apply, type AppliedChange } from "../apply";
import type { Dialect } from "../../control-plane/dialects";
import { createsFirstRevision } from "../first-revision";
import {
  isCreatedWith,
  patchOf,
  settingRevises,
  settingsFromWire,
  settingsIn,
  type SettingName,
} from "../inputs/settings";
import { isSameJson } from "../../resource/inputs/json";

/**
 * Returns the number of revisions that a create results in. Some values that the POST does not accept create a separate
 * revision.
 */
export function countRevisionsOfCreate(dialect: Dialect, inputs: DeploymentInputs): number {
  const made = (where: "deployment" | "tiers") => {
    if (where === "deployment" && inputs.sourceRevisionConfig.folder !== undefined) return 1;
    const createsRevision = (one: SettingName) =>
      !isCreatedWith(one, dialect) && patchOf(one, dialect) === where && settingRevises(one, dialect);
    return Object.keys(settingsIn(inputs, createsRevision)).length > 0 ? 1 : 0;
  };
  const first = createsFirstRevision(dialect.table, inputs.source) ? 1 : 0;
  return Math.max(1, first + made("deployment") + made("tiers"));
}

/**
 * Sends values that the POST does not accept, such as a display name. If one of these requests fails, the create fails,
 * the deployment is kept, and the next operation sends the remaining values.
 */
export async function finishCreate(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
): Promise<AppliedChange> {
  const { dialect } = op.plane;
  const reported: Record<string, unknown> = settingsFromWire(record);
  const remainingValues = (where: "deployment" | "tiers") =>
    settingsIn(
      inputs,
      (setting) =>
        !isCreatedWith(setting, dialect) &&
        patchOf(setting, dialect) === where &&
        !isSameJson(reported[setting], inputs[setting]),
    );
  const [settings, tiers] = [remainingValues("deployment"), remainingValues("tiers")];
  const { folder } = inputs.sourceRevisionConfig;
  const names = Object.keys({ ...settings, ...tiers });
  if (names.length === 0 && folder === undefined) return { inputs, createdIds: [] };
  const patch: DeploymentPatch = {
    // The environment is also sent, because the ownership tag in it contains the hash of the upload.
    ...(folder !== undefined && {
      sourceRevisionConfig: inputs.sourceRevisionConfig,
      environment: "required",
    }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  try {
    return await apply(op, {
      record,
      current: merge(undefined, { record, ownerId: op.resource.ownerId, isOwn: true }),
      inputs,
      plan: {
        ...(Object.keys(patch).length > 0 && { patch }),
        ...(Object.keys(tiers).length > 0 && { tiers }),
      },
      creates: countRevisionsOfCreate(dialect, inputs),
    });
  } catch (error) {
    const taken = Object.entries(inputs).filter(([field]) => !names.includes(field));
    const { contentHash: _hash, ...source } = inputs.sourceRevisionConfig;
    const left = {
      ...Object.fromEntries(taken),
      sourceRevisionConfig: source,
    } as unknown as DeploymentInputs;
    return { inputs: left, createdIds: [], unfinished: asError(error) };
  }
}
