import * as pulumi from "@pulumi/pulumi";
import { controlPlane } from "./control-plane";
import { describeDeployment } from "./described-deployment";

/** Which deployment to look up: exactly one of the two. */
export interface GetDeploymentArgs {
  /** The deployment's id. */
  id?: string;
  /** The deployment's exact name. */
  name?: string;
}

/** What the control plane knows about a deployment; secret values stay there. */
export interface GetDeploymentResult {
  id: string;
  name: string;
  /** Name that people see. */
  displayName?: string;
  source?: string;
  /** Address of the agent server, once there is one. */
  url?: string;
  /** State of the deployment itself, for example `READY`; says nothing about its revisions. */
  status?: string;
  latestRevisionId?: string;
  activeRevisionId?: string;
  repoUrl?: string;
  repoRef?: string;
  graphConfigPath?: string;
  imageUri?: string;
  /** Names of the deployment's secrets. */
  secretNames: string[];
}

/**
 * Looks a deployment up (`GET /v2/deployments/{deployment_id}`, or the list for a name), with the connection of
 * the `agentserver` configuration. Fails when there is none, or the name and id are both or neither given.
 */
export async function getDeployment(args: GetDeploymentArgs): Promise<GetDeploymentResult> {
  if ((args.id === undefined) === (args.name === undefined))
    throw new Error("getDeployment needs either an id or a name.");
  const { lookUp, client } = controlPlane();
  return describeDeployment(await lookUp.lookUpDeployment(client, args));
}

/** Like `getDeployment`, for arguments that are known only later. */
export function getDeploymentOutput(args: {
  id?: pulumi.Input<string>;
  name?: pulumi.Input<string>;
}): pulumi.Output<GetDeploymentResult> {
  return pulumi.output(args).apply((known) => getDeployment(known));
}
