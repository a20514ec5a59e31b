import { z } from "zod";

/** Body of `POST /v2/auth/authenticate`. */
export interface AuthenticateBody {
  user_id?: string;
  agent_id?: string;
  provider: string;
  scopes: string[];
}

/**
 * Response of `POST /v2/auth/authenticate`. The user visits `url`, and the caller waits for the flow with the ID
 * `auth_id`.
 */
export const authenticateAnswer = z.object({
  status: z.string().min(1),
  url: z.string().nullish(),
  auth_id: z.string().nullish(),
  token: z.string().nullish(),
});

/** Response of `GET /v2/auth/wait/{auth_id}`. */
export const authenticationWait = z.object({ status: z.string().min(1), token: z.string().nullish() });

export type AuthenticateAnswer = z.infer<typeof authenticateAnswer>;
export type AuthenticationWait = z.infer<typeof authenticationWait>;
