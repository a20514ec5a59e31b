import type { ControlPlaneClient } from "../provider/control-plane/client";
import { isBeingDeleted, type DeploymentRecord } from "../wire";
import { AgentServerError } from "../provider/errors";

/** Finds a deployment by its exact name or its ID. @throws AgentServerError `deployment_gone` if it does not exist */
export async function findDeployment(
  client: ControlPlaneClient,
  nameOrId: string,
  signal: AbortSignal,
): Promise<DeploymentRecord> {
  const named = await client.deployments.findByName(nameOrId, signal);
  const found =
    named.find((record) => !isBeingDeleted(record)) ?? named[0] ?? (await findById(client, nameOrId, signal));
  if (found) return found;
  throw new AgentServerError(
    "deployment_gone",
    `This workspace has no deployment with the name or ID "${nameOrId}". Run \`npx agentserver status\` to list all deployments.`,
  );
}

async function findById(client: ControlPlaneClient, id: string, signal: AbortSignal) {
  try {
    return await client.deployments.find(id, signal);
  } catch (error) {
    // A server may reject values that are not in the format of its IDs.
    if (AgentServerError.is(error) && error.isRefused) return undefined;
    throw error;
  }
}
