import * as pulumi from "@pulumi/pulumi";
import { controlPlane } from "./control-plane";
import { describeDeployment } from "./described-deployment";
import type { GetDeploymentResult } from "./deployment-result";

/** Which deployment to look up: exactly one of the two. */
export interface GetDeploymentArgs {
  /** The deployment's id. */
  id?: string;
  /** The deployment's exact name. */
  name?: string;
}

/**
 * Looks a deployment up (`GET /v2/deployments/{deployment_id}`, or the list for a name), with the connection of
 * the `agentserver` configuration. Fails when there is none, or the name and id are both or neither given.
 */
export async function getDeployment(args: GetDeploymentArgs): Promise<GetDeploymentResult> {
  if ((args.id === undefined) === (args.name === undefined))
    throw new Error("getDeployment needs either an id or a name.");
  return describeDeployment(await controlPlane().deployment(args));
}

/** Like `getDeployment`, for arguments that are known only later. */
export function getDeploymentOutput(args: {
  id?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}): pulumi.Output<GetDeploymentResult> {
  return pulumi.output(args).apply((known) => getDeployment(known));
}
