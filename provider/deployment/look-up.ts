import type { ControlPlaneClient } from "../control-plane/client";
import type { DeploymentRecord } from "../../wire";
import { isBeingDeleted } from "./presence";
import { AgentServerError } from "../errors";

/** Finds a deployment by its id or its exact name. @throws AgentServerError `deployment_gone` when there is none. */
export async function lookUpDeployment(
  client: ControlPlaneClient,
  wanted: { id?: string; name?: string },
): Promise<DeploymentRecord> {
  const found =
    wanted.id !== undefined
      ? await client.deployments.find(wanted.id)
      : (await client.deployments.findByName(wanted.name ?? "")).find((record) => !isBeingDeleted(record));
  if (found) return found;
  const which = wanted.id !== undefined ? `with the id ${wanted.id}` : `named "${wanted.name}"`;
  throw new AgentServerError(
    "deployment_gone",
    `The control plane has no deployment ${which} in this workspace.`,
    { deploymentId: wanted.id },
  );
}

/** What the deployments of a list have in common; what is left out does not matter. */
export interface DeploymentFilters {
  nameContains?: string;
  /** State of the deployment itself, for example `READY`. */
  status?: string;
  source?: string;
  deploymentType?: string;
  /** Builds of pull requests, too. */
  previews?: boolean;
}

/** The workspace's deployments, without those that are being deleted. A server may know no filters: they hold here. */
export async function listDeployments(
  client: ControlPlaneClient,
  { nameContains, status, source, deploymentType, previews }: DeploymentFilters,
): Promise<DeploymentRecord[]> {
  const query = nameContains === undefined ? {} : { name_contains: nameContains };
  const all = await client.deployments.list(undefined, query, previews);
  const fits = (wanted: string | undefined, found: string | null | undefined) =>
    wanted === undefined || wanted === found;
  return all.filter(
    (record) =>
      !isBeingDeleted(record) &&
      (record.name ?? "").includes(nameContains ?? "") &&
      fits(status, record.status) &&
      fits(source, record.source) &&
      fits(deploymentType, record.source_config?.deployment_type),
  );
}
