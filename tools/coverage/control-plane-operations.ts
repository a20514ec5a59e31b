/** Operation of the control plane, as known from the public service's documentation and clients. */
export interface ControlPlaneOperation {
  /** Method and path of the operation. */
  operation: string;
  /**
   * Source of the operation: `published` for the documentation, or `clients` if only the code of clients contains it.
   */
  from: "published" | "clients";
}

const published = (operation: string): ControlPlaneOperation => ({ operation, from: "published" });
const clients = (operation: string): ControlPlaneOperation => ({ operation, from: "clients" });

/** Documented control plane operations by group, from the OpenAPI document (version 0.1.0) and later pages. */
export const controlPlaneOperations: Readonly<Record<string, readonly ControlPlaneOperation[]>> = {
  "Deployments (v2)": [
    published("GET /v2/deployments"),
    published("POST /v2/deployments"),
    published("DELETE /v2/deployments"),
    published("GET /v2/deployments/{deployment_id}"),
    published("PATCH /v2/deployments/{deployment_id}"),
    published("DELETE /v2/deployments/{deployment_id}"),
    published("GET /v2/deployments/{deployment_id}/revisions"),
    published("POST /v2/deployments/{deployment_id}/revisions"),
    published("GET /v2/deployments/{deployment_id}/revisions/{revision_id}"),
    published("POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy"),
    published("PATCH /v2/deployments/{deployment_id}/deployment-tier"),
    published("PATCH /v2/deployments/{deployment_id}/resource-tiers"),
    published("GET /v2/deployments/free-count"),
    published("GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs"),
    published("GET /v2/deployment-logs"),
    clients("GET /v2/deployments/{deployment_id}/logs"),
    clients("POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interruption"),
    clients("POST /v2/deployments/{deployment_id}/push-token"),
    clients("POST /v2/deployments/{deployment_id}/upload-url"),
    published("POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interrupt"),
  ],
  "Integrations (v1)": [
    published("GET /v1/integrations/github/install"),
    published("GET /v1/integrations/github/{integration_id}/repos"),
    published("GET /v1/integrations/forge/github/install"),
    published("GET /v1/integrations/forge/github/{integration_id}/repos"),
  ],
  "Integrations (v2)": [
    published("GET /v2/integrations/github/installations"),
    published("GET /v2/integrations/github/{integration_id}/repositories"),
    published("POST /v2/integrations/github/installation-link"),
    published("GET /v2/integrations/forge-github/installations"),
    published("POST /v2/integrations/forge-github/installation-link"),
    published("POST /v2/integrations/forge-github/picker-sessions"),
  ],
  "Listeners (v2)": [
    published("GET /v2/listeners"),
    published("POST /v2/listeners"),
    published("GET /v2/listeners/{listener_id}"),
    published("PATCH /v2/listeners/{listener_id}"),
    published("DELETE /v2/listeners/{listener_id}"),
  ],
  "Auth Service (v2)": [
    published("GET /v2/auth/providers"),
    published("POST /v2/auth/providers"),
    published("GET /v2/auth/setup/{provider_id}"),
    published("GET /v2/auth/callback/{provider_id}"),
    published("POST /v2/auth/callback/{provider_id}"),
    published("POST /v2/auth/authenticate"),
    published("GET /v2/auth/wait/{auth_id}"),
    published("POST /v2/auth/providers/mcp-discover"),
    published("GET /v2/auth/providers/{provider_id}"),
    published("PATCH /v2/auth/providers/{provider_id}"),
    published("DELETE /v2/auth/providers/{provider_id}"),
    published("GET /v2/auth/tokens"),
    published("DELETE /v2/auth/tokens"),
    published("PATCH /v2/auth/tokens/{token_id}/metadata"),
    published("DELETE /v2/auth/tokens/{token_id}"),
    published("GET /v2/auth/tokens/exists"),
    published("GET /v2/auth/tokens/workspace/slack/exists"),
    published("DELETE /v2/auth/tokens/workspace/slack"),
    published("GET /v2/auth/token-events"),
  ],
  "Agent Connections (v2)": [
    published("GET /v2/auth/agents/{agent_id}/connections"),
    published("POST /v2/auth/agents/{agent_id}/connections"),
    published("DELETE /v2/auth/agents/{agent_id}/connections/{connection_id}"),
    published("POST /v2/auth/agents/{agent_id}/providers/{provider_id}/tokens"),
  ],
  "Projects (v1)": [
    clients("POST /v1/projects/{project_id}/revisions/{revision_id}/build_logs"),
    clients("POST /v1/projects/{project_id}/revisions/{revision_id}/deploy_logs"),
    clients("POST /v1/projects/{project_id}/deploy_logs"),
  ],
};
