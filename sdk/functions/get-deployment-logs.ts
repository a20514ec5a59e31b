import * as pulumi from "@pulumi/pulumi";
import { lookUps } from "./look-ups";

/** Which lines of which log. */
export interface GetDeploymentLogsArgs {
  deploymentId: string;
  /** @default the newest revision */
  revisionId?: string;
  /** What the build said, or what the agent server says. @default "deploy" */
  type?: "build" | "deploy";
  /** Most lines, the newest ones. @default 100 */
  limit?: number;
}

/** The end of a log. */
export interface GetDeploymentLogsResult {
  /** The revision that it is of. */
  revisionId: string;
  /** The oldest one first. */
  lines: { message: string; timestamp?: string; level?: string }[];
}

const defaultLimit = 100;

/**
 * The newest lines of a revision's log (`GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs`), with the
 * connection of the `agentserver` configuration. Values of the deployment's secrets that the control plane reports are
 * taken out; whatever else an agent prints stands there as it is. Fails on a server that keeps no logs.
 */
export async function getDeploymentLogs(args: GetDeploymentLogsArgs): Promise<GetDeploymentLogsResult> {
  const { deploymentId, revisionId, type = "deploy", limit = defaultLimit } = args;
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new Error(`getDeploymentLogs: limit must be a whole number from 1, and is ${limit}.`);
  const found = await lookUps().logs({ deploymentId, revisionId, type, limit });
  return {
    revisionId: found.revisionId,
    lines: found.entries.map(({ message, timestamp, level }) => ({
      message,
      timestamp: timestamp == null ? undefined : momentOf(timestamp),
      level: level ?? undefined,
    })),
  };
}

/** Servers write a time, or milliseconds since 1970. */
function momentOf(timestamp: string | number): string {
  const moment = new Date(timestamp);
  return Number.isNaN(moment.getTime()) ? String(timestamp) : moment.toISOString();
}

/** Like `getDeploymentLogs`, for arguments that are known only later. The result is secret: logs may hold anything. */
export function getDeploymentLogsOutput(args: {
  [Arg in keyof GetDeploymentLogsArgs]: pulumi.Input<GetDeploymentLogsArgs[Arg]>;
}): pulumi.Output<GetDeploymentLogsResult> {
  return pulumi.secret(
    pulumi.output(args).apply((known) => getDeploymentLogs(known as GetDeploymentLogsArgs)),
  );
}
