/** Path of a deployment. */
export function deploymentPath(deploymentId: string): string {
  return `/v2/deployments/${encodeURIComponent(deploymentId)}`;
}

/** Path of a revision. */
export function revisionPath(deploymentId: string, revisionId: string): string {
  return `${deploymentPath(deploymentId)}/revisions/${encodeURIComponent(revisionId)}`;
}
