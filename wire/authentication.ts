import { z } from "zod";

/** Body of `POST /v2/auth/authenticate`. */
export interface AuthenticateBody {
  user_id?: string;
  agent_id?: string;
  provider: string;
  scopes: string[];
}

/** Answer of `POST /v2/auth/authenticate`; `url` is where the user has to go, and `auth_id` what to wait for. */
export const authenticateAnswer = z.object({
  status: z.string().min(1),
  url: z.string().nullish(),
  auth_id: z.string().nullish(),
  token: z.string().nullish(),
});

/** Answer of `GET /v2/auth/wait/{auth_id}`. */
export const authenticationWait = z.object({ status: z.string().min(1), token: z.string().nullish() });

export type AuthenticateAnswer = z.infer<typeof authenticateAnswer>;
export type AuthenticationWait = z.infer<typeof authenticationWait>;
