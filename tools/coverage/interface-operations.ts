/** Operations in the interface document, by server. */
export const interfaceOperations = {
  controlPlane: [
    "POST /v2/deployments",
    "GET /v2/deployments",
    "GET /v2/deployments/{deployment_id}",
    "PATCH /v2/deployments/{deployment_id}",
    "DELETE /v2/deployments/{deployment_id}",
    "GET /v2/deployments/{deployment_id}/revisions",
    "GET /v2/deployments/{deployment_id}/revisions/{revision_id}",
    "POST /v2/auth/authenticate",
  ],
  agentServer: [
    "GET /docs",
    "POST /assistants/search",
    "POST /threads",
    "POST /threads/{thread_id}/runs",
    "GET /threads/{thread_id}/runs/{run_id}/join",
    "GET /threads/{thread_id}/state",
  ],
} as const;
