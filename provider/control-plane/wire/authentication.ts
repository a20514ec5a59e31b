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
export type AuthenticateResponse = z.infer<typeof authenticateResponse>;
