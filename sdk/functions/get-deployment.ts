import * as pulumi from "@pulumi/pulumi";
import type { AgentArgs } from "../deployment-args";
import { lookUps } from "./look-ups";
import { describeDeployment } from "./described-deployment";
import type { GetDeploymentResult } from "./deployment-result";

/** Which deployment to look up: exactly one of the three. */
export interface GetDeploymentArgs {
  /** The deployment's id. */
  id?: string;
  /** The deployment's exact name. */
  name?: string;
  /** The agent and the environment that it is for. */
  agent?: { agentId: string; environment: "development" | "staging" | "production" };
}

/**
 * Looks a deployment up (`GET /v2/deployments/{deployment_id}`, or the list for a name), with the connection of
 * the `agentserver` configuration. Fails when there is none, or not exactly one of the three is given.
 */
export async function getDeployment(args: GetDeploymentArgs): Promise<GetDeploymentResult> {
  if ([args.id, args.name, args.agent].filter((one) => one !== undefined).length !== 1)
    throw new Error("getDeployment needs an id, a name or an agent, and only one of them.");
  return describeDeployment(await lookUps().deployment(args));
}

/** Like `getDeployment`, for arguments that are known only later. */
export function getDeploymentOutput(args: {
  id?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
  agent?: pulumi.Input<AgentArgs>;
}): pulumi.Output<GetDeploymentResult> {
  return pulumi.output(args).apply((known) => getDeployment(known));
}
