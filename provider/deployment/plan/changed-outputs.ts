import type { DeploymentOutputs } from "../state";
import type { DeploymentPlan } from "./plan";

/** Names of the outputs that a rollout may change. */
const ofRollout: readonly (keyof DeploymentOutputs)[] = [
  "latestRevisionId",
  "awaitedRevision",
  "settledRevision",
  "goodRevisionId",
  "unverifiedRevisionIds",
  "rolledOut",
  "serving",
  "verified",
];

/** Returns the names of the outputs that an update with this plan may change. */
export function changedOutputs(
  { changes, newRevision, resumesWait }: DeploymentPlan,
  { url, heldBy, sentInputs }: Pick<DeploymentOutputs, "url" | "heldBy" | "sentInputs">,
): readonly string[] {
  const isRollout = newRevision || resumesWait;
  const hasNewUrl = changes.some(({ path }) => path === "sourceConfig.customUrl");
  return [
    ...(isRollout ? ofRollout : []),
    ...(hasNewUrl || (isRollout && url === undefined) ? ["url"] : []),
    ...(heldBy === undefined ? [] : ["heldBy"]),
    ...(sentInputs === undefined ? [] : ["sentInputs"]),
  ];
}
