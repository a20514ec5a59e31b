import * as pulumi from "@pulumi/pulumi";
import { lookUps } from "./look-ups";
import { describeDeployment } from "./described-deployment";
import type { GetDeploymentResult } from "./deployment-result";

/** Which deployments to list. */
export interface GetDeploymentsArgs {
  /** What they have in common; without any, all of the workspace. */
  filters?: GetDeploymentsFilters;
}

/** What deployments of a list have in common; what is left out does not matter. */
export interface GetDeploymentsFilters {
  /** Part of the name. */
  nameContains?: string;
  /** State of the deployment itself, for example `READY`. */
  status?: string;
  /** Kind of source, for example `github`. */
  source?: string;
  /** Kind of deployment, for example `dev`. */
  deploymentType?: string;
  /** Whether builds of pull requests are listed, too. @default false */
  previews?: boolean;
}

/**
 * Lists the workspace's deployments (`GET /v2/deployments`, all pages), with the connection of the `agentserver`
 * configuration; those that are being deleted are left out.
 */
export async function getDeployments(args: GetDeploymentsArgs = {}): Promise<GetDeploymentResult[]> {
  return (await lookUps().deployments(args.filters ?? {})).map(describeDeployment);
}

/** Like `getDeployments`, for arguments that are known only later. */
export function getDeploymentsOutput(
  args: {
    filters?: { [Filter in keyof GetDeploymentsFilters]: pulumi.Input<GetDeploymentsFilters[Filter]> };
  } = {},
): pulumi.Output<GetDeploymentResult[]> {
  return pulumi.output(args).apply((known) => getDeployments(known as GetDeploymentsArgs));
}
