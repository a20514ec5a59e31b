import type { Transport } from "../../http/transport";
import {
  authenticateAnswer,
  authenticationWait,
  type AuthenticateAnswer,
  type AuthenticateBody,
  type AuthenticationWait,
} from "../../../wire";
import { unlessMissing } from "./unless-missing";

/** Client for the endpoints of the authentication service. */
export class AuthenticationClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /v2/auth/authenticate`; repeated requests return the same flow until the flow is completed. */
  authenticate(body: AuthenticateBody): Promise<AuthenticateAnswer> {
    return this.transport.send({
      method: "POST",
      path: "/v2/auth/authenticate",
      body,
      answer: authenticateAnswer,
      duringWait: true,
    });
  }

  /**
   * `GET /v2/auth/wait/{auth_id}`; responds when the flow has produced a token or the time limit is reached. Returns
   * `undefined` if the server does not have this endpoint.
   * @param seconds maximum time that the server waits before it responds
   */
  wait(authenticationId: string, seconds: number): Promise<AuthenticationWait | undefined> {
    return this.transport
      .send({
        method: "GET",
        path: `/v2/auth/wait/${encodeURIComponent(authenticationId)}`,
        query: { timeout: seconds },
        answer: authenticationWait,
        duringWait: true,
      })
      .catch(unlessMissing(() => undefined));
  }
}
