import type { Dialect } from "../../control-plane/dialects";
import type { DeploymentInputs } from "../inputs/inputs";
import type { IsSecret } from "../../resource/call";
import type { Plan } from "../../resource/plan";
import { hasUnknown } from "../../resource/inputs/unknown";
import { at } from "../../resource/inputs/values";
import { hasDesiredRevision, hasForeignSource, isInEffect, type Current } from "../current";
import type { DeploymentPatch } from "../mapping";
import type { LastRollout } from "../state";
import { compare } from "./compare";
import { mayBeSame } from "../inputs/identity";
import { isSetting, patchOf, settingsIn, type SettingInputs } from "../inputs/settings";
import {
  isEnvironment,
  reasonsFor,
  type DeploymentChange,
  type DeploymentCode,
  type LossCode,
} from "./reasons";

/** All values that a plan depends on. */
export interface PlanRequest {
  current: Current;
  wanted: DeploymentInputs;
  lastRollout: LastRollout;
  dialect: Dialect;
  /**
   * Set if the ownership tag must be written even if the environment does not change. `"now"` writes it immediately,
   * even if that creates a revision; `"with revision"` writes it only if the PATCH creates a revision anyway.
   */
  tag?: "now" | "with revision";
  /** True if another resource now owns the deployment. */
  isLost?: boolean;
  /** True if the program requests a replacement when the value at this path changes. */
  replacesOn?: (path: string) => boolean;
  /** True if the value at a path must not be displayed; by default, only `secrets` are not displayed. */
  isSecret?: IsSecret;
}

/** The steps that change the current deployment to the desired one, and the reasons for them. */
export interface DeploymentPlan extends Plan<DeploymentCode> {
  /** All differences between the current and the desired deployment that have not taken effect yet. */
  changes: DeploymentChange[];
  /** Differences between the state and the desired deployment that have already taken effect on the server. */
  inEffect: DeploymentChange[];
  /** First step: the PATCH of the deployment; omitted if nothing in it changes. */
  patch?: DeploymentPatch;
  /** Second step: the changed sizes. Their separate endpoint creates a separate revision. */
  tiers?: SettingInputs;
  /** True if the steps create a new revision. */
  newRevision: boolean;
  /** Result of the resource's last rollout. */
  lastRollout: LastRollout;
  /** True if an earlier rollout is still in progress and the update waits for it. */
  resumesWait: boolean;
}

/**
 * Plans a change to a deployment, and classifies each changed field as replacement, revision, patch, or state only.
 * Pure function, shared by preview, diff, and update.
 */
export function plan(request: PlanRequest): DeploymentPlan {
  const { current, wanted, lastRollout, dialect, isLost = false, isSecret = () => false } = request;
  const all = compare(current.before, wanted, dialect, isSecret, current.unknown).map((change) =>
    request.replacesOn?.(change.path) ? { ...change, effect: "replace" as const } : change,
  );
  // A change that creates a revision counts as in effect only if the deployment is not in state, or if its newest
  // revision is not in state and has the desired source. The exception is an update that begins to manage `secrets`:
  // it changes nothing if the environment is already the desired one.
  const hasRevision = !current.observed?.hasState || hasDesiredRevision(wanted, current);
  // An environment takes effect as a whole, and is compared only once, because it may have thousands of variables.
  let hasEnvironment: boolean | undefined;
  const isDone = ({ path, effect }: DeploymentChange) =>
    effect !== "state" &&
    !hasUnknown(at(wanted, path)) &&
    (effect !== "revision" || hasRevision || path === "secrets") &&
    (isEnvironment(path)
      ? (hasEnvironment ??= isInEffect("secrets", wanted, current, dialect))
      : isInEffect(path, wanted, current, dialect));
  const [inEffect, changes] = [all.filter(isDone), all.filter((change) => !isDone(change))];
  // An unknown value may turn out to be unchanged. An update that becomes a replacement is better than the reverse.
  const replaces = changes.some(({ effect, unknown }) => effect === "replace" && !unknown);
  const takesBack = isLost && wanted.adopt === "always";
  const steps = replaces
    ? { newRevision: false }
    : stepsFor(changes, takesBack ? { ...request, tag: "now" } : request);
  const { newRevision } = steps;
  const resumesWait =
    !replaces && !newRevision && lastRollout === "unsettled" && wanted.rollout?.wait !== false;
  const nothing = changes.length === 0 && !newRevision && !resumesWait && !isLost;
  const deletesFirst = !replaces || !isMovable(current.before, wanted);
  return {
    deletesFirst,
    action: replaces ? "replace" : nothing ? "none" : "update",
    changes,
    inEffect,
    ...steps,
    lastRollout,
    resumesWait,
    reasons: reasonsFor({
      changes,
      replaces,
      createsFirst: !deletesFirst,
      newRevision,
      resumesWait,
      afterFailure: lastRollout === "failed",
      ...(isLost && { lost: takesBack ? takenBack(newRevision, changes, lastRollout) : "lost" }),
    }),
  };
}

/**
 * True if a replacement can create the new deployment before it deletes the old one. Two deployments cannot have the
 * same name or URL.
 */
function isMovable(before: DeploymentInputs, wanted: DeploymentInputs): boolean {
  if (mayBeSame(wanted, before)) return false;
  const { customUrl } = wanted.sourceConfig;
  return customUrl == null || (!hasUnknown(customUrl) && customUrl !== before.sourceConfig.customUrl);
}

/**
 * Returns the reason code for reclaiming a deployment, which depends on whether the new revision is created only
 * because the ownership tag is written.
 */
function takenBack(
  newRevision: boolean,
  changes: readonly DeploymentChange[],
  lastRollout: LastRollout,
): LossCode {
  const isCausedByTag =
    newRevision && lastRollout !== "failed" && !changes.some(({ effect }) => effect === "revision");
  return isCausedByTag ? "taken-back-with-revision" : "taken-back";
}

function stepsFor(
  changes: readonly DeploymentChange[],
  { current, wanted, lastRollout, dialect, tag }: PlanRequest,
): Pick<DeploymentPlan, "patch" | "tiers" | "newRevision"> {
  const sent = changes.filter(({ effect }) => effect === "patch" || effect === "revision");
  const isSent = (setting: string) => sent.some(({ path }) => path === setting);
  const [settings, tiers] = (["deployment", "tiers"] as const).map((request) =>
    settingsIn(wanted, (one) => isSent(one) && patchOf(one, dialect) === request),
  );
  const sourceFields = sent.flatMap(({ path }) => (path.startsWith("sourceConfig.") ? [path.slice(13)] : []));
  const config = wanted.sourceConfig as Record<string, unknown>;
  const revising = changes.filter(({ effect }) => effect === "revision");
  const patching = revising.filter(({ path }) => !tiers || !Object.hasOwn(tiers, path));
  // If a change to secrets or resources creates a revision even without a source, the source is sent only if it
  // changes, or if the revision would be built from a foreign source.
  const sourceToo =
    lastRollout === "failed" ||
    revising.some(({ path }) => !createsOwnRevision(path, dialect)) ||
    (patching.length > 0 && hasForeignSource(wanted, current));
  const patchRevises = sourceToo || patching.length > 0;
  const uploads = sourceToo && wanted.sourceRevisionConfig.folder !== undefined;
  const patch: DeploymentPatch = {
    ...(sourceFields.length > 0 && {
      sourceConfig: Object.fromEntries(sourceFields.map((field) => [field, config[field]])),
    }),
    ...(sourceToo && { sourceRevisionConfig: wanted.sourceRevisionConfig }),
    ...(!isEmpty(settings!) && { settings: settings! }),
    ...(sent.some(({ path }) => isEnvironment(path)) || tag === "now"
      ? { environment: "required" as const }
      : // The tag also contains the hashes of the upload and of the triggers.
        (uploads || isSent("rollout.triggers") || (tag === "with revision" && patchRevises)) && {
          environment: "if possible" as const,
        }),
  };
  return {
    patch: isEmpty(patch) ? undefined : patch,
    tiers: isEmpty(tiers!) ? undefined : tiers!,
    newRevision: sourceToo || revising.length > 0 || (tag === "now" && dialect.revises.secrets),
  };
}

function isEmpty(group: object): boolean {
  return Object.keys(group).length === 0;
}

/** True if a request that changes this field creates a revision even if it contains no source. */
function createsOwnRevision(path: string, dialect: Dialect): boolean {
  if (isEnvironment(path)) return dialect.revises.secrets;
  if (isSetting(path)) return true;
  return path.startsWith("sourceConfig.") && dialect.revises.sourceConfigFields.has(path.slice(13));
}
