import type { ControlPlaneClient } from "../control-plane/client";
import { isBeingDeleted, type DeploymentRecord } from "../../wire";
import { isSameDeploymentType } from "../deployment/inputs/deployment-type";
import { findIdentified, titleOf, type Identity } from "../deployment/inputs/identity";
import { AgentServerError } from "../errors";
import { orderingAdvice } from "./ordering-advice";

/** Criteria for a deployment; exactly one of them must be specified. */
export type WantedDeployment = Identity & { id?: string };

/**
 * Finds a deployment.
 * @throws AgentServerError `deployment_gone` if the deployment does not exist
 */
export async function lookUpDeployment(
  client: ControlPlaneClient,
  wanted: WantedDeployment,
): Promise<DeploymentRecord> {
  const found =
    wanted.id !== undefined ? await client.deployments.find(wanted.id) : await findDeployment(client, wanted);
  if (found) return found;
  const named = wanted.agent ? titleOf(wanted) : `named ${titleOf(wanted)}`;
  const which = wanted.id !== undefined ? `with the ID ${wanted.id}` : named;
  throw new AgentServerError(
    "deployment_gone",
    `The control plane has no deployment ${which} in this workspace. ${orderingAdvice}`,
    { deploymentId: wanted.id },
  );
}

/**
 * Finds the deployment with a name, or the deployment of an agent and environment; `undefined` if it does not exist.
 */
export async function findDeployment(
  { deployments }: ControlPlaneClient,
  identity: Identity,
): Promise<DeploymentRecord | undefined> {
  const asking = {
    findByName: (name: string) => deployments.findByName(name),
    findByAgent: (agentId: string, environment: string) => deployments.findByAgent(agentId, environment),
  };
  return (await findIdentified(asking, identity, true)).find((record) => !isBeingDeleted(record));
}

/** Criteria for listing deployments; all are optional. */
export interface DeploymentFilters {
  nameContains?: string;
  /** Status of the deployment itself, for example `READY`. */
  status?: string;
  source?: string;
  deploymentType?: string;
  /** True to include preview deployments of pull requests. */
  previews?: boolean;
}

/**
 * Returns the workspace's deployments, except those that are being deleted. Also filters on the client, because a
 * server may not support filters.
 */
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
      (deploymentType === undefined ||
        isSameDeploymentType(deploymentType, record.source_config?.deployment_type)),
  );
}
