import type { DeploymentRecord } from "../../../wire";
import { asError } from "../../errors";
import type { ControlPlaneOperation } from "../../resource/operation";
import type { DeploymentInputs } from "../inputs/inputs";
import { ownTag } from "../ownership/tag";
import { writePatch } from "../patch";
import type { WholePatch } from "../plan/plan";
import type { Dialect } from "../../control-plane/dialects";
import { makesFirstRevision } from "../first-revision";
import {
  isCreatedWith,
  patchOf,
  settingRevises,
  settingsFromWire,
  settingsIn,
  type SettingName,
} from "../inputs/settings";
import type { AwaitedRevision } from "../rollout/awaited";
import { isSameJson } from "../../resource/inputs/json";

/** A deployment after the writes that follow its POST. */
interface Finished {
  /** What the deployment has by now, as far as it is what was asked for. */
  inputs: DeploymentInputs;
  /** The revision that these writes made. */
  made?: AwaitedRevision;
  /** Why some of it could not be written. */
  unfinished?: Error;
}

/** How many revisions a create makes, since some of what a POST does not take makes one of its own. */
export function revisionsOfCreate(dialect: Dialect, inputs: DeploymentInputs): number {
  const made = (where: "deployment" | "tiers") => {
    if (where === "deployment" && inputs.sourceRevisionConfig.folder !== undefined) return 1;
    const isRevising = (one: SettingName) =>
      !isCreatedWith(one, dialect) && patchOf(one, dialect) === where && settingRevises(one, dialect);
    return Object.keys(settingsIn(inputs, isRevising)).length > 0 ? 1 : 0;
  };
  const first = makesFirstRevision(dialect.table, inputs.source) ? 1 : 0;
  return Math.max(1, first + made("deployment") + made("tiers"));
}

/**
 * Sends what a POST does not take, such as a display name. What fails here fails the create, which keeps the deployment and
 * leaves the rest to the next one.
 */
export async function finishCreate(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  inputs: DeploymentInputs,
): Promise<Finished> {
  const { dialect } = op.plane;
  const reported: Record<string, unknown> = settingsFromWire(record);
  const left = (where: "deployment" | "tiers") =>
    settingsIn(
      inputs,
      (setting) =>
        !isCreatedWith(setting, dialect) &&
        patchOf(setting, dialect) === where &&
        !isSameJson(reported[setting], inputs[setting]),
    );
  const [settings, tiers] = [left("deployment"), left("tiers")];
  const { folder } = inputs.sourceRevisionConfig;
  const names = Object.keys({ ...settings, ...tiers });
  if (names.length === 0 && folder === undefined) return { inputs };
  const patch: WholePatch = {
    ...(folder !== undefined && {
      sourceRevisionConfig: inputs.sourceRevisionConfig,
      environment: { ...inputs.secrets, ...inputs.environmentVariables },
    }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(Object.keys(tiers).length > 0 && { tiers }),
  };
  const revises = settingsIn(inputs, (one) => names.includes(one) && settingRevises(one, dialect));
  try {
    const wantsRevision = folder !== undefined || Object.keys(revises).length > 0;
    const tag = ownTag(op, record, revisionsOfCreate(dialect, inputs));
    return { inputs, ...(await writePatch(op, record, patch, wantsRevision, tag)) };
  } catch (error) {
    const taken = Object.entries(inputs).filter(([field]) => !names.includes(field));
    const { contentHash: _hash, ...source } = inputs.sourceRevisionConfig;
    const left = {
      ...Object.fromEntries(taken),
      sourceRevisionConfig: source,
    } as unknown as DeploymentInputs;
    return { inputs: left, unfinished: asError(error) };
  }
}
