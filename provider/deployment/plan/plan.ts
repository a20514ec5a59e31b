import type { Dialect } from "../../control-plane/dialects";
import type { DeploymentInputs, SourceConfigInputs, SourceRevisionConfigInputs } from "../inputs/inputs";
import type { IsSecret } from "../../resource/call";
import type { Plan } from "../../resource/plan";
import { hasUnknown } from "../../resource/inputs/unknown";
import { compare } from "./compare";
import { environmentOf, type Environment, type Variables } from "../inputs/environment";
import { mayBeSame } from "../inputs/identity";
import { isSetting, patchOf, settingsIn, type SettingInputs } from "../inputs/settings";
import {
  isEnvironment,
  reasonsFor,
  type DeploymentChange,
  type DeploymentCode,
  type LossCode,
} from "./reasons";

/** How the last rollout of the resource ended, as far as state or the server shows. */
export type LastRollout = "deployed" | "failed" | "unsettled" | "none";

/** Everything that a plan depends on. */
export interface PlanRequest {
  before: DeploymentInputs;
  wanted: DeploymentInputs;
  lastRollout: LastRollout;
  dialect: Dialect;
  /** Whether another resource holds the deployment by now. */
  isLost?: boolean;
  /** Whether the program asks for a replacement when that changes. */
  replacesOn?: (path: string) => boolean;
  /** Paths whose values must not be printed; secrets never are. */
  isSecret?: IsSecret;
}

/** The groups of one PATCH, in the user's shape; never empty. */
export interface DeploymentPatch {
  /** Only the fields that changed. */
  sourceConfig?: SourceConfigInputs;
  /** All fields that the user manages; there only when a new revision is wanted that nothing else here makes. */
  sourceRevisionConfig?: SourceRevisionConfigInputs;
  /** Settings that changed and that the deployment's own PATCH takes. */
  settings?: SettingInputs;
  /** Sizes that changed and that have an endpoint of their own. */
  tiers?: SettingInputs;
  /** The whole environment, or what is managed of it. */
  environment?: Environment;
}

/** A patch with the whole environment in it, or without any. */
export type WholePatch = Omit<DeploymentPatch, "environment"> & {
  environment?: Variables;
  /** Where the source has been sent, if it is one of this machine. */
  uploaded?: UploadedSource;
};

/** A source of this machine that has been sent. */
interface UploadedSource {
  objectPath: string;
  /** Path of the graph configuration file in the archive. */
  configPath: string;
}

/** What has to be done to get from the deployment in state to the wanted one, and why. */
export interface DeploymentPlan extends Plan<DeploymentCode> {
  changes: DeploymentChange[];
  /** What to send; nothing when state alone changes or a wait continues. */
  patch?: DeploymentPatch;
  /** Whether the patch makes a new revision. */
  newRevision: boolean;
  /** How the rollout of before stands. */
  lastRollout: LastRollout;
  /** Whether there is an earlier rollout to wait for. */
  resumesWait: boolean;
}

/** Sorts every change into replace, revision, patch or nothing to send. Pure: preview, diff and update share it. */
export function plan(request: PlanRequest): DeploymentPlan {
  const { before, wanted, lastRollout, dialect, isLost = false, isSecret = () => false } = request;
  const changes = compare(before, wanted, dialect, isSecret).map((change) =>
    request.replacesOn?.(change.path) ? { ...change, effect: "replace" as const } : change,
  );
  // What is not known yet may turn out unchanged: better an update that becomes a replacement than the reverse.
  const replaces = changes.some(({ effect, unknown }) => effect === "replace" && !unknown);
  const newRevision =
    !replaces && (lastRollout === "failed" || changes.some(({ effect }) => effect === "revision"));
  const resumesWait =
    !replaces && !newRevision && lastRollout === "unsettled" && wanted.rollout?.wait !== false;
  const patch = replaces ? undefined : patchFor(changes, request, newRevision);
  const nothing = changes.length === 0 && !newRevision && !resumesWait && !isLost;
  const deletesFirst = !replaces || !isMovable(before, wanted);
  return {
    deletesFirst,
    action: replaces ? "replace" : nothing ? "none" : "update",
    changes,
    patch,
    newRevision,
    lastRollout,
    resumesWait,
    reasons: reasonsFor({
      changes,
      replaces,
      createsFirst: !deletesFirst,
      newRevision,
      resumesWait,
      afterFailure: lastRollout === "failed",
      ...(isLost && { lost: lostAs(wanted, newRevision, dialect) }),
    }),
  };
}

/** Whether the new deployment can be there beside the old one: two cannot have the same name, nor the same address. */
function isMovable(before: DeploymentInputs, wanted: DeploymentInputs): boolean {
  if (mayBeSame(wanted, before)) return false;
  const { customUrl } = wanted.sourceConfig;
  return customUrl == null || (!hasUnknown(customUrl) && customUrl !== before.sourceConfig.customUrl);
}

/** What becomes of a deployment that another resource holds: the ownership tag is among the secrets. */
function lostAs({ adopt }: DeploymentInputs, newRevision: boolean, { revises }: Dialect): LossCode {
  if (adopt !== "always") return "lost";
  return revises.secrets && !newRevision ? "taken-back-with-revision" : "taken-back";
}

function patchFor(
  changes: DeploymentChange[],
  { before, wanted, lastRollout, dialect }: PlanRequest,
  newRevision: boolean,
): DeploymentPatch | undefined {
  const sent = changes.filter(({ effect }) => effect === "patch" || effect === "revision");
  const sourceFields = sent.flatMap(({ path }) => (path.startsWith("sourceConfig.") ? [path.slice(13)] : []));
  const config = wanted.sourceConfig as Record<string, unknown>;
  const isSent = (setting: string) => sent.some(({ path }) => path === setting);
  const settings = settingsIn(wanted, (one) => isSent(one) && patchOf(one, dialect) === "deployment");
  const tiers = settingsIn(wanted, (one) => isSent(one) && patchOf(one, dialect) === "tiers");
  // Where secrets or resources make a revision by themselves, the source goes along only if it is to be another one.
  const sourceToo =
    newRevision &&
    (lastRollout === "failed" ||
      changes.some(({ path, effect }) => effect === "revision" && !byItself(path, dialect)));
  const patch: DeploymentPatch = {
    ...(sourceFields.length > 0 && {
      sourceConfig: Object.fromEntries(sourceFields.map((field) => [field, config[field]])),
    }),
    ...(sourceToo && { sourceRevisionConfig: wanted.sourceRevisionConfig }),
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(Object.keys(tiers).length > 0 && { tiers }),
    ...(sent.some(({ path }) => isEnvironment(path)) && { environment: environmentOf(wanted, before) }),
  };
  return Object.keys(patch).length > 0 ? patch : undefined;
}

/** Whether a field, once sent, makes its revision without the revision's source going along. */
function byItself(path: string, dialect: Dialect): boolean {
  if (isEnvironment(path)) return dialect.revises.secrets;
  if (isSetting(path)) return true;
  return path.startsWith("sourceConfig.") && dialect.revises.sourceConfigFields.has(path.slice(13));
}
