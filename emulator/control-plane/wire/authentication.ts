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

/** Answer of `POST /v2/auth/authenticate` (`AuthAuthenticateResponse`). */
export const authenticateResponse = z.object({
  status: z.enum(["completed", "pending"]),
  url: z.string().nullish(),
  auth_id: z.string().nullish(),
  token: z.string().nullish(),
});

export type AuthenticateRequest = z.infer<typeof authenticateRequest>;

/** Body of the same request in the public service's dialect: no user or agent is required. */
export const widerAuthenticateRequest = authenticateRequest.extend({
  user_id: z.string().nullish(),
  /** Starts a flow even if there is a token. */
  force_new: z.boolean().default(false),
  /** Accepts only this token. */
  token_id: z.guid().nullish(),
  /** True if the token from the flow becomes the user's default. */
  is_default: z.boolean().default(true),
});

/** Answer of the same request in the public service's dialect. */
export const widerAuthenticateResponse = authenticateResponse.extend({
  status: z.enum(["completed", "pending", "connection_required", "token_expired"]),
  user_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** Answer of `GET /v2/auth/wait/{auth_id}`. */
export const authWaitResponse = z.object({
  status: z.enum(["completed", "pending", "timeout", "not_found"]),
  token: z.string().nullish(),
});

/** Body of `POST /v2/auth/callback/{provider_id}`. */
export const oauthFinalizeRequest = z.object({ code: z.string(), state: z.string() });

export type WiderAuthenticateRequest = z.infer<typeof widerAuthenticateRequest>;
export type WiderAuthenticateResponse = z.infer<typeof widerAuthenticateResponse>;
export type AuthWaitResponse = z.infer<typeof authWaitResponse>;
