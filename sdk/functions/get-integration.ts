import * as pulumi from "@pulumi/pulumi";
import { lookUps } from "./look-ups";

/** Which integration to look up. */
export interface GetIntegrationArgs {
  /** Address of a repository that it reaches, in any spelling. */
  repoUrl: string;
}

/** An integration: an installation of the git host's app. */
export interface GetIntegrationResult {
  /** What `sourceConfig.integrationId` takes. */
  id: string;
  /** The account at the git host. */
  name?: string;
  /** The branch that the repository has by default. */
  defaultBranch?: string;
}

/**
 * Looks up the integration that reaches a repository (`GET /v1/integrations/github/install` and the repositories of
 * each), with the connection of the `agentserver` configuration. Fails when none does, or several do.
 */
export async function getIntegration({ repoUrl }: GetIntegrationArgs): Promise<GetIntegrationResult> {
  const { id, name, defaultBranch } = await lookUps().integration(repoUrl);
  return { id, name, defaultBranch };
}

/** Like `getIntegration`, for arguments that are known only later. */
export function getIntegrationOutput(args: {
  repoUrl: pulumi.Input<string>;
}): pulumi.Output<GetIntegrationResult> {
  return pulumi.output(args).apply((known) => getIntegration(known));
}
