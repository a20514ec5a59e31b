import { z } from "zod";

/** Body of `POST /v2/auth/authenticate` (`AuthAuthenticateRequest`). */
export const authenticateRequest = z.object({
  user_id: z.string(),
  ls_user_id: z.string().nullish(),
  agent_id: z.string().nullish(),
  provider: z.string(),
  scopes: z.array(z.string()),
  use_agent_builder_public_oauth: z.boolean().default(false),
});

/** Response of `POST /v2/auth/authenticate` (`AuthAuthenticateResponse`). */
export const authenticateResponse = z.object({
  status: z.enum(["completed", "pending"]),
  url: z.string().nullish(),
  auth_id: z.string().nullish(),
  token: z.string().nullish(),
});

export type AuthenticateRequest = z.infer<typeof authenticateRequest>;

/** Body of `POST /v2/auth/authenticate` in the public service's dialect, which requires neither a user nor an agent. */
export const widerAuthenticateRequest = authenticateRequest.extend({
  user_id: z.string().nullish(),
  /** True if a new flow is started even if a token exists. */
  force_new: z.boolean().default(false),
  /** ID of the only token that is accepted. */
  token_id: z.guid().nullish(),
  /** True if the token from the flow becomes the default token of the user. */
  is_default: z.boolean().default(true),
});

/** Response of `POST /v2/auth/authenticate` in the public service's dialect. */
export const widerAuthenticateResponse = authenticateResponse.extend({
  status: z.enum(["completed", "pending", "connection_required", "token_expired"]),
  user_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** Response of `GET /v2/auth/wait/{auth_id}`. */
export const authWaitResponse = z.object({
  status: z.enum(["completed", "pending", "timeout", "not_found"]),
  token: z.string().nullish(),
});

/** Body of `POST /v2/auth/callback/{provider_id}`. */
export const oauthFinalizeRequest = z.object({ code: z.string(), state: z.string() });

export type WiderAuthenticateRequest = z.infer<typeof widerAuthenticateRequest>;
export type WiderAuthenticateResponse = z.infer<typeof widerAuthenticateResponse>;
export type AuthWaitResponse = z.infer<typeof authWaitResponse>;

const tokenEndpointAuthMethod = z.enum(["none", "client_secret_basic", "client_secret_post"]);

/** Body of `POST /v2/auth/providers`. */
export const oauthProviderCreateRequest = z.object({
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string().nullish(),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean().default(false),
  code_challenge_method: z.string().default("S256"),
  provider_type: z.enum(["microsoft", "salesforce", "slack"]).nullish(),
  token_endpoint_auth_method: tokenEndpointAuthMethod.default("client_secret_post"),
});

/** Body of `PATCH /v2/auth/providers/{provider_id}`. A null value leaves the field unchanged. */
export const oauthProviderUpdateRequest = z.object({
  name: z.string().nullish(),
  client_id: z.string().nullish(),
  client_secret: z.string().nullish(),
  auth_url: z.string().nullish(),
  token_url: z.string().nullish(),
  uses_pkce: z.boolean().nullish(),
  code_challenge_method: z.string().nullish(),
});

/** Body of `POST /v2/auth/providers/mcp-discover`. */
export const mcpOAuthProviderCreateRequest = z.object({
  provider_id: z.string(),
  name: z.string(),
  mcp_server_url: z.string(),
});

/** An OAuth provider in responses, without its client secret. */
export const oauthProviderResponse = z.object({
  id: z.string(),
  organization_id: z.string(),
  provider_id: z.string(),
  name: z.string(),
  client_id: z.string(),
  auth_url: z.string(),
  token_url: z.string(),
  uses_pkce: z.boolean(),
  code_challenge_method: z.string().nullable(),
  provider_type: z.string().nullish(),
  mcp_server_url: z.string().nullish(),
  token_endpoint_auth_method: z.string(),
  is_dynamic_client: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** A token in lists, without the token itself. */
export const oauthTokenSummary = z.object({
  id: z.string(),
  provider_id: z.string(),
  provider_account_label: z.string().nullish(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullish(),
  is_default: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** Body of `PATCH /v2/auth/tokens/{token_id}/metadata`. A null value leaves the field unchanged. */
export const oauthTokenUpdateRequest = z.object({
  provider_account_label: z.string().nullish(),
  is_default: z.boolean().nullish(),
});

/** Response of `GET /v2/auth/tokens/exists`. */
export const oauthTokenStatusResponse = z.object({ has_token: z.boolean() });

/** Body of `POST /v2/auth/agents/{agent_id}/connections`. */
export const createAgentConnectionRequest = z.object({ oauth_token_id: z.string() });

/** Body of `POST /v2/auth/agents/{agent_id}/providers/{provider_id}/tokens`. */
export const upsertAgentProviderTokenRequest = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullish(),
  expires_in_seconds: z.number().int().nullish(),
  scopes: z.array(z.string()).default([]),
  provider_account_label: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** An agent's connection to a provider through a token. */
export const agentConnectionResponse = z.object({
  id: z.string(),
  agent_id: z.string(),
  oauth_token_id: z.string(),
  provider_id: z.string(),
  provider_account_label: z.string().nullable(),
  scopes: z.array(z.string()),
  expires_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
});

/** Response of `GET /v2/auth/agents/{agent_id}/connections`. */
export const agentConnectionListResponse = z.object({ data: z.array(agentConnectionResponse) });

export type OAuthProviderCreateRequest = z.infer<typeof oauthProviderCreateRequest>;
export type OAuthProviderUpdateRequest = z.infer<typeof oauthProviderUpdateRequest>;
export type McpOAuthProviderCreateRequest = z.infer<typeof mcpOAuthProviderCreateRequest>;
export type OAuthProviderResponse = z.infer<typeof oauthProviderResponse>;
export type OAuthTokenSummary = z.infer<typeof oauthTokenSummary>;
export type OAuthTokenUpdateRequest = z.infer<typeof oauthTokenUpdateRequest>;
export type UpsertAgentProviderTokenRequest = z.infer<typeof upsertAgentProviderTokenRequest>;
export type AgentConnectionResponse = z.infer<typeof agentConnectionResponse>;
