import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { AgentArgs } from "../deployment-args";
import { run } from "./run";
import type { GetDeploymentResult } from "./results";

/** Arguments of `getDeployment`; exactly one is required. */
export interface GetDeploymentArgs {
  /** ID of the deployment. */
  id?: string;
  /** Exact name of the deployment. */
  name?: string;
  /** Agent and environment of the deployment. */
  agent?: { agentId: string; environment: "development" | "staging" | "production" };
}

/**
 * Looks up a deployment (`GET /v2/deployments/{deployment_id}`, or the list for a name), using the connection in the
 * `agentserver` configuration. Fails if there is none, or unless exactly one argument is given.
 */
export function getDeployment(args: GetDeploymentArgs): Promise<GetDeploymentResult> {
  return run("getDeployment", args);
}

/** Output version of `getDeployment`. */
export function getDeploymentOutput(
  args: { id?: pulumi.Input<string>; name?: pulumi.Input<string>; agent?: pulumi.Input<AgentArgs> },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDeploymentResult> {
  return afterDependencies(pulumi.output(args), options).apply((resolved) => getDeployment(resolved));
}
