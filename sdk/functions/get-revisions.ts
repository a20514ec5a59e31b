import * as pulumi from "@pulumi/pulumi";
import { afterDependencies } from "./invoke-options";
import type { OtherControlPlane } from "../other-control-plane";
import { run } from "./run";

/** Revision of a deployment. */
export interface GetRevisionsResult {
  /** ID of the revision. */
  id: string;
  /** Status, for example `DEPLOYED` or `BUILD_FAILED`. */
  status: string;
  /** Server message about the final status. */
  statusMessage?: string;
  /** Time at which the revision was created. */
  createdAt?: string;
  /** Time of the last change to the revision. */
  updatedAt?: string;
  /** Branch, tag, or commit that the revision was built from. */
  repoRef?: string;
  /** Commit that the revision was built from, if the control plane reports it. */
  commit?: string;
  /** Path of the graph configuration file. */
  graphConfigPath?: string;
  /** Container image. */
  imageUri?: string;
}

/**
 * Lists the revisions of a deployment, newest first (`GET /v2/deployments/{deployment_id}/revisions`, all pages).
 * @param connection control plane of the deployment; by default, the one in the `agentserver` configuration
 */
export async function getRevisions(
  deploymentId: string,
  connection?: OtherControlPlane,
): Promise<GetRevisionsResult[]> {
  return (await run("getRevisions", { deploymentId, ...(connection && { connection }) })).revisions;
}

/** Output version of `getRevisions`. */
export function getRevisionsOutput(
  deploymentId: pulumi.Input<string>,
  options?: pulumi.InvokeOutputOptions & { connection?: OtherControlPlane },
): pulumi.Output<GetRevisionsResult[]> {
  return afterDependencies(pulumi.output(deploymentId), options).apply((resolved) =>
    getRevisions(resolved, options?.connection),
  );
}
