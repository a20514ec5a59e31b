import { randomBytes, randomUUID } from "node:crypto";
import type { AuthenticateRequest, AuthenticateResponse } from "../../../provider/control-plane/wire";
import { Refusal } from "../refusal";
import type { Store } from "../store/store";

/** Path of the page that ends a pending authentication. */
export const completionPath = "/v2/auth/local";

/** A token that is there without anybody having gone through a flow. */
export interface SeededToken {
  userId: string;
  provider: string;
  scopes: string[];
  token: string;
}

/** The authentication service: tokens of users with providers, and the flows that bring them. */
export class AuthenticationService {
  constructor(
    private readonly store: Store,
    private readonly baseUrl: () => string,
  ) {}

  /** A token that covers the scopes, or the flow that leads to one: the same until it is completed. */
  authenticate(organization: string, request: AuthenticateRequest): AuthenticateResponse {
    return this.store.transaction(() => {
      const known = this.store.authentications.of(organization, request.user_id, request.provider);
      const done = known.find((one) => one.token !== null && covers(one.scopes, request.scopes));
      if (done) return { status: "completed", url: null, auth_id: null, token: done.token };
      const open = known.find((one) => one.token === null && sameScopes(one.scopes, request.scopes));
      const id = open?.id ?? randomUUID();
      if (!open)
        this.store.authentications.insert({
          id,
          organization,
          userId: request.user_id,
          provider: request.provider,
          scopes: request.scopes,
          token: null,
        });
      return { status: "pending", url: `${this.baseUrl()}${completionPath}/${id}`, auth_id: id, token: null };
    });
  }

  /** What the user does at the provider: afterwards there is a token. */
  complete(id: string): void {
    this.store.transaction(() => {
      const flow = this.store.authentications.find(id);
      if (!flow) throw new Refusal(404, `Authentication ID ${id} not found.`);
      if (flow.token === null)
        this.store.authentications.complete(id, `token-${randomBytes(18).toString("base64url")}`);
    });
  }

  seed(organization: string, seeded: SeededToken): void {
    this.store.authentications.insert({ id: randomUUID(), organization, ...seeded });
  }
}

function covers(held: string[], wanted: string[]): boolean {
  return wanted.every((scope) => held.includes(scope));
}

function sameScopes(one: string[], other: string[]): boolean {
  return covers(one, other) && covers(other, one);
}
