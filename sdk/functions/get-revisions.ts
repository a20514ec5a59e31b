import * as pulumi from "@pulumi/pulumi";
import { lookUps } from "./look-ups";

/** A revision: one rollout of a deployment. */
export interface GetRevisionsResult {
  id: string;
  /** For example `DEPLOYED` or `BUILD_FAILED`. */
  status: string;
  /** What the server says about its end. */
  statusMessage?: string;
  createdAt?: string;
  updatedAt?: string;
  /** Branch, tag or commit that it was built from. */
  repoRef?: string;
  graphConfigPath?: string;
  imageUri?: string;
}

/**
 * Lists the revisions of a deployment, newest first (`GET /v2/deployments/{deployment_id}/revisions`, all pages), with
 * the connection of the `agentserver` configuration.
 */
export async function getRevisions(deploymentId: string): Promise<GetRevisionsResult[]> {
  const revisions: GetRevisionsResult[] = [];
  for await (const page of lookUps().revisions(deploymentId))
    for (const { source_revision_config: source, ...revision } of page)
      revisions.push({
        id: revision.id,
        status: revision.status,
        statusMessage: revision.status_message ?? undefined,
        createdAt: revision.created_at ?? undefined,
        updatedAt: revision.updated_at ?? undefined,
        repoRef: source?.repo_ref ?? undefined,
        graphConfigPath: source?.graph_config_path ?? source?.langgraph_config_path ?? undefined,
        imageUri: source?.image_uri ?? undefined,
      });
  return revisions;
}

/** Like `getRevisions`, for an id that is known only later. */
export function getRevisionsOutput(deploymentId: pulumi.Input<string>): pulumi.Output<GetRevisionsResult[]> {
  return pulumi.output(deploymentId).apply((known) => getRevisions(known));
}
