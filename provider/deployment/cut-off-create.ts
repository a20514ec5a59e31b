import type { ControlPlaneClient } from "../control-plane/client";
import type { DeploymentRecord } from "../../wire";
import { tagOf } from "./ownership-tag";

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
