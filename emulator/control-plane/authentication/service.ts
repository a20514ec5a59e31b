import { randomBytes, randomUUID } from "node:crypto";
import type { AuthWaitResponse, WiderAuthenticateResponse } from "../wire";
import type { Clock } from "../../clock";
import type { StoredAuthentication } from "../store/authentications";
import type { StoredToken } from "../store/oauth-tokens";
import type { Store } from "../store/store";
import { refuseAuthentication } from "./refusals";
import type { TokenService } from "./tokens";
import type { AuthenticationRequest } from "./authentication-request";

/** Path of the page that completes a pending authentication. */
export const completionPath = "/v2/auth/local";

interface AuthenticationDeps {
  store: Store;
  clock: Clock;
  tokens: TokenService;
  /** True if the response distinguishes an expired token from one that never existed. */
  tellsExpiry: boolean;
  baseUrl: () => string;
}

/** Authentication service that manages the tokens of users for providers, and the flows that create them. */
export class AuthenticationService {
  readonly #waits: Waits;

  constructor(private readonly deps: AuthenticationDeps) {
    this.#waits = new Waits(deps.clock);
  }

  /**
   * Returns a token that covers the scopes, or a flow that creates one. Returns the same flow until it is completed.
   */
  authenticate(organization: string, request: AuthenticationRequest): WiderAuthenticateResponse {
    const { store, clock, tellsExpiry } = this.deps;
    return store.transaction(() => {
      const fitting = request.forceNew
        ? []
        : this.#candidates(organization, request).filter(({ scopes }) => covers(scopes, request.scopes));
      const fresh = fitting.find(({ expiresAt }) => expiresAt === null || expiresAt > clock.now());
      const { userId } = request;
      if (fresh) return answer("completed", userId ?? fresh.userId, { token: fresh.token });
      const expired = tellsExpiry && fitting.length > 0;
      if (userId === undefined) return answer(expired ? "token_expired" : "connection_required", null, {});
      const { id } = this.#flow(organization, { ...request, userId });
      const url = `${this.deps.baseUrl()}${completionPath}/${id}`;
      return answer(expired ? "token_expired" : "pending", userId, { url, auth_id: id });
    });
  }

  /** Resolves when a flow has created a token, or after `seconds`. */
  async wait(organization: string, id: string, seconds: number): Promise<AuthWaitResponse> {
    const { store } = this.deps;
    const flow = store.authentications.find(id);
    if (flow?.organization !== organization) return { status: "not_found", token: null };
    if (flow.tokenId !== null)
      return { status: "completed", token: store.oauthTokens.find(organization, flow.tokenId)!.token };
    if (seconds <= 0) return { status: "pending", token: null };
    const token = await this.#waits.forToken(id, seconds * 1000);
    return token === undefined ? { status: "timeout", token: null } : { status: "completed", token };
  }

  /**
   * Simulates the user's consent at the provider, which creates a token.
   *
   * @param provider - Provider that redirected the user back. If omitted, any provider is accepted.
   */
  complete(id: string, provider?: string): void {
    const { store, tokens } = this.deps;
    const token = store.transaction(() => {
      const flow = store.authentications.find(id);
      if (!flow || (provider !== undefined && provider !== flow.provider))
        throw refuseAuthentication.noFlow(id);
      if (flow.tokenId !== null) return undefined;
      const made = tokens.add(flow.organization, {
        userId: flow.userId,
        provider: flow.provider,
        scopes: flow.scopes,
        token: `token-${randomBytes(18).toString("base64url")}`,
        isDefault: flow.isDefault,
      });
      store.authentications.complete(id, made.id);
      return made.token;
    });
    if (token !== undefined) this.#waits.arrived(id, token);
  }

  /** Returns the tokens that can fulfill a request, in order of preference. */
  #candidates(
    organization: string,
    { tokenId, agentId, userId, provider }: AuthenticationRequest,
  ): StoredToken[] {
    const { store, tokens } = this.deps;
    if (tokenId !== undefined)
      return [store.oauthTokens.find(organization, tokenId)].filter(
        (one) => one?.provider === provider,
      ) as StoredToken[];
    return [
      ...(agentId === undefined ? [] : tokens.ofAgent(organization, agentId, provider)),
      ...(userId === undefined ? [] : store.oauthTokens.ofUser(organization, userId, provider)),
    ];
  }

  #flow(organization: string, request: AuthenticationRequest & { userId: string }): StoredAuthentication {
    const { userId, provider, scopes, isDefault } = request;
    const { authentications } = this.deps.store;
    const open = authentications
      .open(organization, userId, provider)
      .find((one) => sameScopes(one.scopes, scopes) && one.isDefault === isDefault);
    if (open) return open;
    const made = { id: randomUUID(), organization, userId, provider, scopes, isDefault, tokenId: null };
    authentications.insert(made);
    return made;
  }
}

function answer(
  status: WiderAuthenticateResponse["status"],
  user_id: string | null,
  more: Pick<WiderAuthenticateResponse, "url" | "auth_id" | "token">,
): WiderAuthenticateResponse {
  return { status, url: null, auth_id: null, token: null, ...more, user_id, metadata: null };
}

function covers(held: string[], wanted: string[]): boolean {
  return wanted.every((scope) => held.includes(scope));
}

function sameScopes(one: string[], other: string[]): boolean {
  return covers(one, other) && covers(other, one);
}

/** Requests that are waiting for a flow to create a token. */
export class Waits {
  readonly #waiting = new Map<string, Set<(token: string) => void>>();

  constructor(private readonly clock: Clock) {}

  /** Resolves with the token, or with `undefined` after a timeout. */
  forToken(flowId: string, ms: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(flowId) ?? new Set();
      this.#waiting.set(flowId, waiting);
      const end = (token?: string): void => {
        takeBack();
        waiting.delete(end);
        if (waiting.size === 0) this.#waiting.delete(flowId);
        resolve(token);
      };
      const takeBack = this.clock.after(ms, () => end());
      waiting.add(end);
    });
  }

  arrived(flowId: string, token: string): void {
    for (const end of [...(this.#waiting.get(flowId) ?? [])]) end(token);
  }
}
