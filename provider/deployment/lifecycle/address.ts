import type { DeploymentRecord } from "../../control-plane/wire";
import type { ControlPlaneAddress } from "../state";
import type { Operation } from "./operation";

/** Where the deployment answers: the server's own word, else the address that was configured for it. */
export function urlOf(record: DeploymentRecord): string | undefined {
  return record.url ?? record.source_config?.custom_url ?? undefined;
}

/** The control plane that holds the deployment; the server's word names the workspace where nothing else does. */
export function controlPlaneOf({ controlPlane }: Operation, record: DeploymentRecord): ControlPlaneAddress {
  return { ...controlPlane, tenantId: controlPlane.tenantId || (record.tenant_id ?? "") };
}
