import type { AuthenticateRequest, WiderAuthenticateRequest } from "../wire";

/** User of a request that specifies neither a user nor an agent: the owner of the API key. */
const callingUser = "caller";

/** Parameters of an authenticate request. */
export interface AuthenticationRequest {
  /** ID of the user. Absent if only an agent is specified. In that case, no user can complete the flow. */
  userId: string | undefined;
  agentId: string | undefined;
  provider: string;
  scopes: string[];
  forceNew: boolean;
  /** ID of the token, if no other token is acceptable. */
  tokenId: string | undefined;
  isDefault: boolean;
}

/** Returns the parameters of a request in either dialect. */
export function parseAuthenticationRequest(
  request: AuthenticateRequest | WiderAuthenticateRequest,
): AuthenticationRequest {
  const wider: Partial<WiderAuthenticateRequest> = request;
  const agentId = request.agent_id ?? undefined;
  return {
    userId: request.user_id ?? request.ls_user_id ?? (agentId === undefined ? callingUser : undefined),
    agentId,
    provider: request.provider,
    scopes: request.scopes,
    forceNew: wider.force_new ?? false,
    tokenId: wider.token_id ?? undefined,
    isDefault: wider.is_default ?? true,
  };
}
