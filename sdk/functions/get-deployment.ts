import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { AgentArgs } from "../deployment-args";
import type { OtherControlPlane } from "../other-control-plane";
import { run } from "./run";
import type { GetDeploymentResult } from "./results";

/**
 * Verification of the revision that a deployment serves: checks that `GET /ok` returns 200 and that the graph exists.
 */
export interface VerifyServing {
  /** Graph that must have an assistant. */
  graph?: string;
}

/** Arguments of `getDeployment`; exactly one of `id`, `name`, and `agent` is required. */
export interface GetDeploymentArgs {
  /** ID of the deployment. */
  id?: string;
  /** Exact name of the deployment. */
  name?: string;
  /** Agent and environment of the deployment. */
  agent?: { agentId: string; environment: "development" | "staging" | "production" };
  /** Control plane of the deployment. @default the one in the `agentserver` configuration */
  connection?: OtherControlPlane;
  /** Verification of the revision that the deployment serves. The verified artifact is returned in `verified`. */
  verify?: VerifyServing;
}

/**
 * Looks up a deployment (`GET /v2/deployments/{deployment_id}`, or the list for a name). Fails if the deployment is not
 * found.
 */
export function getDeployment(args: GetDeploymentArgs): Promise<GetDeploymentResult> {
  return run("getDeployment", args);
}

/** Output version of `getDeployment`. */
export function getDeploymentOutput(
  args: {
    id?: pulumi.Input<string>;
    name?: pulumi.Input<string>;
    agent?: pulumi.Input<AgentArgs>;
    connection?: OtherControlPlane;
    verify?: VerifyServing;
  },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDeploymentResult> {
  return afterDependencies(pulumi.output(args), options).apply((resolved) => getDeployment(resolved));
}
