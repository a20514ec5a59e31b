import { type DeploymentRecord, isBeingDeleted } from "../../../wire";
import type { ControlPlaneAddress } from "../../resource/managed";
import type { ControlPlaneOperation } from "../../resource/operation";

/**
 * Returns the deployment with this ID, unless it has been deleted or is being deleted.
 * @param duringWait true if the request is part of a wait that has its own deadline
 */
export async function findLive(
  op: ControlPlaneOperation,
  deploymentId: string,
  duringWait = false,
): Promise<DeploymentRecord | undefined> {
  const record = await op.plane.client.deployments.find(deploymentId, op.time.signal, duringWait);
  return record && !isBeingDeleted(record) ? record : undefined;
}

/** True if the deployment exists and is not being deleted. Use only within a wait that has its own deadline. */
export async function isLive(op: ControlPlaneOperation, deploymentId: string): Promise<boolean> {
  return (await findLive(op, deploymentId, true)) !== undefined;
}

/**
 * Returns the deployment in state; called for the first request of an operation. If only the key identifies the
 * workspace, a missing deployment is treated as deleted only if the key belongs to the workspace in state.
 * @throws AgentServerError `moved_control_plane` if the key may belong to another workspace
 */
export async function requireOwned(
  op: ControlPlaneOperation,
  deploymentId: string,
): Promise<DeploymentRecord | undefined> {
  const record = await findLive(op, deploymentId);
  if (!record) await op.plane.confirmWorkspace(deploymentId);
  return record;
}

/** Returns the URL of the deployment: the reported URL or, if there is none, the configured one. */
export function urlOf(record: DeploymentRecord): string | undefined {
  return record.url ?? record.source_config?.custom_url ?? undefined;
}

/**
 * Returns the control plane of the deployment, with the configured workspace or, if none is configured, the one that
 * the server reports.
 */
export function controlPlaneOf(
  { plane: { controlPlane } }: ControlPlaneOperation,
  record: DeploymentRecord,
): ControlPlaneAddress {
  return { ...controlPlane, tenantId: controlPlane.tenantId || (record.tenant_id ?? "") };
}
