import type { Clock } from "../../clock";
import type { ControlPlaneClient } from "../../control-plane/client";
import type { DeploymentRecord } from "../../../wire";
import type { DeploymentInputs } from "../inputs/inputs";
import { isTagged, tagOf } from "./tag";

/** Longest time from a create to its first revision, where the source is uploaded in between, in milliseconds. */
const longestUploadMs = 15 * 60_000;
/** How far clocks may be apart, in milliseconds. */
const clockDifferenceMs = 60_000;

/**
 * Whether a deployment with this resource's ownership tag looks like what a create of it has left that was cut off: it
 * has no more revisions than such creates have made. One that was changed since is in somebody's state.
 */
export async function isCutOffCreate(
  client: ControlPlaneClient,
  record: DeploymentRecord,
  signal?: AbortSignal,
): Promise<boolean> {
  const { revisions = 0 } = tagOf(record) ?? {};
  return (await client.revisions.list(record.id, signal)).length <= revisions;
}

/**
 * Whether a deployment may be what a create left behind that was to upload its source: there is no revision yet, and so no
 * server reports the ownership tag.
 */
function isBare(
  record: DeploymentRecord,
  { source, sourceRevisionConfig: { folder } }: DeploymentInputs,
): boolean {
  return folder !== undefined && record.source === source && !record.latest_revision_id && !isTagged(record);
}

/** Whether it is such a deployment, and no create can be under way any more that would go on with it. */
export function isAbandoned(
  record: DeploymentRecord,
  inputs: DeploymentInputs,
  clock: Pick<Clock, "now">,
): boolean {
  const madeAt = Date.parse(record.created_at ?? "");
  return isBare(record, inputs) && clock.now() - madeAt > longestUploadMs;
}

/** Whether it is such a deployment, made since then: by a POST of which the reply was lost. */
export function isMadeSince(record: DeploymentRecord, inputs: DeploymentInputs, since: number): boolean {
  return isBare(record, inputs) && Date.parse(record.created_at ?? "") >= since - clockDifferenceMs;
}
