import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import { run } from "./run";

/** Arguments of `getIntegration`. */
export interface GetIntegrationArgs {
  /** URL of a repository that the integration can access, in any notation, such as HTTPS or SSH. */
  repoUrl: string;
}

/** Integration: an installation of the git host's app. */
export interface GetIntegrationResult {
  /** ID of the integration, for `sourceConfig.integrationId`. */
  id: string;
  /** Account on the git host. */
  name?: string;
  /** Default branch of the repository. */
  defaultBranch?: string;
}

/**
 * Looks up the integration that can access a repository (`GET /v1/integrations/github/install` and the repositories of
 * each integration), using the connection in the `agentserver` configuration. Fails if no integration, or more than
 * one, can access the repository.
 */
export function getIntegration(args: GetIntegrationArgs): Promise<GetIntegrationResult> {
  return run("getIntegration", args);
}

/** Output version of `getIntegration`. */
export function getIntegrationOutput(
  args: { repoUrl: pulumi.Input<string> },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetIntegrationResult> {
  return afterDependencies(pulumi.output(args), options).apply((resolved) => getIntegration(resolved));
}
