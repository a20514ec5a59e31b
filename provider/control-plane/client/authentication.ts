import type { Transport } from "../../http/transport";
import {
  authenticateAnswer,
  authenticationWait,
  type AuthenticateAnswer,
  type AuthenticateBody,
  type AuthenticationWait,
} from "../../../wire";
import { unlessMissing } from "./unless-missing";

/** The endpoints of the authentication service as functions. */
export class AuthenticationClient {
  constructor(private readonly transport: Transport) {}

  /** `POST /v2/auth/authenticate`; repeated requests return the same flow until it is completed. */
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
   * `GET /v2/auth/wait/{auth_id}`; responds when the flow has produced a token or the time is over. `undefined` if the
   * server does not have this endpoint.
   * @param seconds maximum time for which the server holds the response
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
