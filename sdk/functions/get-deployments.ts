import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import { run } from "./run";
import type { DeploymentSummary } from "./results";

/** Arguments of `getDeployments`. */
export interface GetDeploymentsArgs {
  /** Filters. By default, all deployments of the workspace are listed. */
  filters?: GetDeploymentsFilters;
}

/** Filters for deployments. Omitted filters match everything. */
export interface GetDeploymentsFilters {
  /** Substring of the name. */
  nameContains?: string;
  /** Status of the deployment itself, for example `READY`. */
  status?: string;
  /** Kind of source, for example `github`. */
  source?: string;
  /** Deployment type, for example `dev`. */
  deploymentType?: string;
  /** True to include previews of pull requests. @default false */
  previews?: boolean;
}

/**
 * Lists the workspace's deployments (`GET /v2/deployments`, all pages), using the connection in the `agentserver`
 * configuration. Omits deployments that are being deleted.
 */
export async function getDeployments(args: GetDeploymentsArgs = {}): Promise<DeploymentSummary[]> {
  return (await run("getDeployments", args)).deployments;
}

/** Output version of `getDeployments`. */
export function getDeploymentsOutput(
  args: {
    filters?: { [Filter in keyof GetDeploymentsFilters]: pulumi.Input<GetDeploymentsFilters[Filter]> };
  } = {},
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<DeploymentSummary[]> {
  return afterDependencies(pulumi.output(args), options).apply((resolved) =>
    getDeployments(resolved as GetDeploymentsArgs),
  );
}
