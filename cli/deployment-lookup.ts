import type { ControlPlaneClient } from "../provider/control-plane/client";
import type { DeploymentRecord } from "../wire";
import { isBeingDeleted } from "../provider/deployment/ownership/find-deployment";
import { AgentServerError } from "../provider/errors";

/** A deployment by its exact name or its id. @throws AgentServerError `deployment_gone` when there is none. */
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
    `The control plane has no deployment with the name or id "${nameOrId}" in this workspace. \`npx agentserver status\` lists all.`,
  );
}

async function findById(client: ControlPlaneClient, id: string, signal: AbortSignal) {
  try {
    return await client.deployments.find(id, signal);
  } catch (error) {
    // A server may refuse what does not look like one of its ids.
    if (AgentServerError.is(error) && error.code === "request_refused") return undefined;
    throw error;
  }
}
