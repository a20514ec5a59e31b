import type { AuthenticateRequest, WiderAuthenticateRequest } from "../wire";

/** User of a request that specifies neither a user nor an agent: the holder of the key. */
const callingUser = "caller";

/** Parameters of an authenticate request. */
export interface AuthenticationWish {
  /** Absent where an agent is named and nobody else: then there is no one to go through a flow. */
  userId: string | undefined;
  agentId: string | undefined;
  provider: string;
  scopes: string[];
  forceNew: boolean;
  /** The one token that will do. */
  tokenId: string | undefined;
  isDefault: boolean;
}

/** The wish behind a request, in either dialect. */
export function wishOf(request: AuthenticateRequest | WiderAuthenticateRequest): AuthenticationWish {
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
