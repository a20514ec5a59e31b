import type { DeploymentRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import { ownerOf } from "../mapping";
import type { Operation } from "./operation";

/** Whether the record is of a deployment that is being taken apart. */
export function isBeingDeleted(record: DeploymentRecord): boolean {
  return record.status === "AWAITING_DELETE" || record.status === "AWAITING_FINAL_DELETE";
}

/** The deployment of this id, unless it is gone or on its way out. */
export async function findLive(op: Operation, deploymentId: string): Promise<DeploymentRecord | undefined> {
  const record = await op.client.findDeployment(deploymentId, op.signal);
  return record && !isBeingDeleted(record) ? record : undefined;
}

/** Refuses to touch a deployment that by its mark belongs to another resource now. */
export function refuseForeignOwner(op: Operation, record: DeploymentRecord, deed: string): void {
  const owner = ownerOf(record);
  if (owner === undefined || owner === op.ownerId) return;
  throw new AgentServerError(
    "name_conflict",
    `Deployment ${record.id} carries the mark of another Pulumi resource, which has adopted it; it was not ${deed}. Either take it back with \`adopt: "always"\`, or let go of it here with \`pulumi state delete\`.`,
    { deploymentId: record.id },
  );
}
