import { AgentServerError, getDeployment } from "pulumi-agentserver";

/** Returns the URL of a deployment that another team manages, or `undefined` if it does not exist. */
export async function urlOf(name: string): Promise<string | undefined> {
  try {
    return (await getDeployment({ name })).url;
  } catch (error) {
    if (AgentServerError.is(error) && error.code === "deployment_gone") return undefined;
    throw error;
  }
}
