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

  /** `POST /v2/auth/authenticate`: asked again, it gives the same flow until that is completed. */
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
   * `GET /v2/auth/wait/{auth_id}`: answers when the flow has led to a token, or when the time is over; nothing from a
   * server that has no such endpoint.
   * @param seconds longest time that the server waits
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
