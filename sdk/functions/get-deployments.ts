import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { OtherControlPlane } from "../other-control-plane";
import { run } from "./run";
import type { DeploymentSummary } from "./results";

/** Arguments of `getDeployments`. */
export interface GetDeploymentsArgs {
  /** Filters. By default, lists all deployments of the workspace. */
  filters?: GetDeploymentsFilters;
  /** Control plane to query. @default the one in the `agentserver` configuration */
  connection?: OtherControlPlane;
}

/** Filters for deployments. An omitted filter matches everything. */
export interface GetDeploymentsFilters {
  /** Substring of the name. */
  nameContains?: string;
  /** Status of the deployment itself, for example `READY`. */
  status?: string;
  /** Kind of source, for example `github`. */
  source?: string;
  /** Deployment type, for example `dev`. */
  deploymentType?: string;
  /** True to include preview deployments of pull requests. @default false */
  previews?: boolean;
}

/**
 * Lists the workspace's deployments (`GET /v2/deployments`, all pages). Omits deployments that are being deleted.
 */
export async function getDeployments(args: GetDeploymentsArgs = {}): Promise<DeploymentSummary[]> {
  return (await run("getDeployments", args)).deployments;
}

/** Output version of `getDeployments`. */
export function getDeploymentsOutput(
  args: {
    filters?: { [Filter in keyof GetDeploymentsFilters]: pulumi.Input<GetDeploymentsFilters[Filter]> };
    connection?: OtherControlPlane;
  } = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<DeploymentSummary[]> {
  return afterDependencies(pulumi.output(args), options).apply((resolved) =>
    getDeployments(resolved as GetDeploymentsArgs),
  );
}
