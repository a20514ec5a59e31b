import type { DeploymentRecord } from "../../../wire";
import type { ControlPlaneAddress } from "../../resource/managed";
import type { ControlPlaneOperation } from "../../resource/operation";

/** Whether the record is of a deployment that is being taken apart. */
export function isBeingDeleted(record: DeploymentRecord): boolean {
  return record.status === "AWAITING_DELETE" || record.status === "AWAITING_FINAL_DELETE";
}

/**
 * The deployment of this id, unless it is gone or on its way out.
 * @param duringWait whether it is a look of a wait that has a deadline of its own
 */
export async function findLive(
  op: ControlPlaneOperation,
  deploymentId: string,
  duringWait = false,
): Promise<DeploymentRecord | undefined> {
  const record = await op.plane.client.deployments.find(deploymentId, op.time.signal, duringWait);
  return record && !isBeingDeleted(record) ? record : undefined;
}

/** Whether it is there, and not on its way out: a look of a wait. */
export async function isLive(op: ControlPlaneOperation, deploymentId: string): Promise<boolean> {
  return (await findLive(op, deploymentId, true)) !== undefined;
}

/**
 * The same for the first look at a deployment in state. Where the key alone names the workspace, its absence counts only
 * in the workspace that state names; where state names none, it does not count.
 */
export async function requireOwned(
  op: ControlPlaneOperation,
  deploymentId: string,
): Promise<DeploymentRecord | undefined> {
  const record = await findLive(op, deploymentId);
  if (!record) await op.plane.confirmWorkspace(deploymentId);
  return record;
}

/** Where the deployment answers: the server's own word, else the address that was configured for it. */
export function urlOf(record: DeploymentRecord): string | undefined {
  return record.url ?? record.source_config?.custom_url ?? undefined;
}

/** The control plane that holds the deployment; the server's word names the workspace where nothing else does. */
export function controlPlaneOf(
  { plane: { controlPlane } }: ControlPlaneOperation,
  record: DeploymentRecord,
): ControlPlaneAddress {
  return { ...controlPlane, tenantId: controlPlane.tenantId || (record.tenant_id ?? "") };
}
