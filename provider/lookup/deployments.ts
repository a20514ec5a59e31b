import type { ControlPlaneClient } from "../control-plane/client";
import type { DeploymentRecord } from "../../wire";
import { isSameDeploymentType } from "../deployment/inputs/deployment-type";
import { findIdentified, titleOf, type Identity } from "../deployment/inputs/identity";
import { isBeingDeleted } from "../deployment/ownership/find-deployment";
import { AgentServerError } from "../errors";

/** What a deployment is looked up by: one of the three. */
export type WantedDeployment = Identity & { id?: string };

/** Finds a deployment. @throws AgentServerError `deployment_gone` when there is none. */
export async function lookUpDeployment(
  client: ControlPlaneClient,
  wanted: WantedDeployment,
): Promise<DeploymentRecord> {
  const { deployments } = client;
  const asking = {
    findByName: (name: string) => deployments.findByName(name),
    findByAgent: (agentId: string, environment: string) => deployments.findByAgent(agentId, environment),
  };
  const found =
    wanted.id !== undefined
      ? await deployments.find(wanted.id)
      : (await findIdentified(asking, wanted, true)).find((record) => !isBeingDeleted(record));
  if (found) return found;
  const named = wanted.agent ? titleOf(wanted) : `named ${titleOf(wanted)}`;
  const which = wanted.id !== undefined ? `with the id ${wanted.id}` : named;
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
      (deploymentType === undefined ||
        isSameDeploymentType(deploymentType, record.source_config?.deployment_type)),
  );
}
