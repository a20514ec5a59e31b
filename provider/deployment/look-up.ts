import { systemClock } from "../clock";
import type { ConfigReader } from "../control-plane/connection";
import type { DeploymentRecord } from "../../wire";
import { isBeingDeleted } from "./presence";
import { AgentServerError } from "../errors";
import { Session } from "../session";

/** Finds a deployment by its id or its exact name. @throws AgentServerError `deployment_gone` when there is none. */
export async function lookUpDeployment(
  config: ConfigReader,
  env: NodeJS.ProcessEnv,
  wanted: { id?: string; name?: string },
): Promise<DeploymentRecord> {
  const client = new Session({ config, env, clock: systemClock, random: Math.random }).client();
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
