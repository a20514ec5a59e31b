import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import { run } from "./run";

/** Arguments of `getDeploymentLogs`. */
export interface GetDeploymentLogsArgs {
  /** ID of the deployment. */
  deploymentId: string;
  /** Revision that the log belongs to. @default the newest revision */
  revisionId?: string;
  /** Type of log: output of the build or of the agent server. @default "deploy" */
  type?: "build" | "deploy";
  /** Maximum number of lines, counted from the end. @default 100 */
  limit?: number;
}

/** Last lines of a revision's log. */
export interface GetDeploymentLogsResult {
  /** Revision that the log belongs to. */
  revisionId: string;
  /** Lines, oldest first. */
  lines: LogLine[];
}

/** Line of a log. */
export interface LogLine {
  /** Text of the line. */
  message: string;
  /** Time at which the line was written. */
  timestamp?: string;
  /** Level, such as `INFO`. */
  level?: string;
}

/**
 * Returns the last lines of a revision's log (`GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs`),
 * using the connection in the `agentserver` configuration. Secret values that the control plane reports are redacted;
 * all other output is returned unchanged. Fails if the server does not provide logs.
 */
export function getDeploymentLogs(args: GetDeploymentLogsArgs): Promise<GetDeploymentLogsResult> {
  return run("getDeploymentLogs", args);
}

/** Output version of `getDeploymentLogs`. The result is secret, because logs may contain any value. */
export function getDeploymentLogsOutput(
  args: { [Arg in keyof GetDeploymentLogsArgs]: pulumi.Input<GetDeploymentLogsArgs[Arg]> },
  options?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetDeploymentLogsResult> {
  const resolved = afterDependencies(pulumi.output(args), options);
  return pulumi.secret(resolved.apply((given) => getDeploymentLogs(given as GetDeploymentLogsArgs)));
}
