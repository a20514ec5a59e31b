import { z } from "@hono/zod-openapi";
import {
  agentConnectionListResponse,
  agentConnectionResponse,
  authenticateRequest,
  authenticateResponse,
  authWaitResponse,
  createAgentConnectionRequest,
  mcpOAuthProviderCreateRequest,
  oauthFinalizeRequest,
  oauthProviderCreateRequest,
  oauthProviderResponse,
  oauthProviderUpdateRequest,
  oauthTokenStatusResponse,
  oauthTokenSummary,
  oauthTokenUpdateRequest,
  upsertAgentProviderTokenRequest,
  widerAuthenticateRequest,
  widerAuthenticateResponse,
} from "../wire";

/** Schemas for the body and the response of the authenticate endpoint in each dialect. */
export const authenticateSchemas = {
  narrow: {
    body: authenticateRequest.extend({}).openapi("AuthAuthenticateRequest"),
    answer: authenticateResponse.extend({}).openapi("AuthAuthenticateResponse"),
  },
  wide: {
    body: widerAuthenticateRequest.extend({}).openapi("AuthAuthenticateRequest"),
    answer: widerAuthenticateResponse.extend({}).openapi("AuthAuthenticateResponse"),
  },
};

export const waitAnswer = authWaitResponse.extend({}).openapi("AuthWaitResponse");
export const finalizeBody = oauthFinalizeRequest.extend({}).openapi("OAuthFinalizeRequest");
export const providerBody = oauthProviderCreateRequest.extend({}).openapi("OAuthProviderCreateRequest");
export const providerPatchBody = oauthProviderUpdateRequest.extend({}).openapi("OAuthProviderUpdateRequest");
export const mcpProviderBody = mcpOAuthProviderCreateRequest
  .extend({})
  .openapi("MCPOAuthProviderCreateRequest");
export const providerAnswer = oauthProviderResponse.extend({}).openapi("OAuthProviderResponse");
export const tokenAnswer = oauthTokenSummary.extend({}).openapi("OAuthTokenSummary");
export const tokenPatchBody = oauthTokenUpdateRequest.extend({}).openapi("OAuthTokenUpdateRequest");
export const tokenStatusAnswer = oauthTokenStatusResponse.extend({}).openapi("OAuthTokenStatusResponse");
export const connectionBody = createAgentConnectionRequest.extend({}).openapi("CreateAgentConnectionRequest");
export const agentTokenBody = upsertAgentProviderTokenRequest
  .extend({})
  .openapi("UpsertAgentProviderTokenRequest");
export const connectionAnswer = agentConnectionResponse.extend({}).openapi("AgentConnectionResponse");

/** Schema of a response with all connections of an agent. */
export const connectionsAnswer = agentConnectionListResponse
  .extend({ data: z.array(connectionAnswer) })
  .openapi("AgentConnectionListResponse");

/** Schema of a response that contains only a message. */
export const messageAnswer = z.object({ message: z.string() });

export const providerPath = z.object({ provider_id: z.string() });
export const providerQuery = z.object({ provider_id: z.string() });
export const tokenPath = z.object({ token_id: z.string() });
export const agentPath = z.object({ agent_id: z.string() });
export const waitPath = z.object({ auth_id: z.string() });
export const waitQuery = z.object({ timeout: z.coerce.number().int().max(3600).default(30) });

/** Query parameters that a provider adds when it redirects the user back. */
export const callbackQuery = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
});
