import { randomUUID } from "node:crypto";
import type { OAuthTokenSummary, OAuthTokenUpdateRequest } from "../wire";
import type { StoredToken } from "../store/oauth-tokens";
import type { Store } from "../store/store";
import { refuseAuthentication } from "./refusals";

export type NewToken = Pick<StoredToken, "userId" | "provider" | "scopes" | "token"> &
  Partial<Pick<StoredToken, "label" | "isDefault" | "expiresAt">>;

/** Service that manages the tokens of an organization's users and agents for OAuth providers. */
export class TokenService {
  constructor(private readonly store: Store) {}

  token(organization: string, id: string): StoredToken {
    const found = this.store.oauthTokens.find(organization, id);
    if (!found) throw refuseAuthentication.noToken(id);
    return found;
  }

  /** Returns the tokens that an agent uses to access a provider, newest connection first. */
  ofAgent(organization: string, agentId: string, provider: string): StoredToken[] {
    return this.store.agentConnections
      .of(organization, agentId)
      .map(({ tokenId }) => this.store.oauthTokens.find(organization, tokenId)!)
      .filter((token) => token.provider === provider)
      .reverse();
  }

  /** Returns all tokens, or all tokens for a single provider, newest first. */
  list(organization: string, provider?: string): StoredToken[] {
    return this.store.oauthTokens.of(organization, provider);
  }

  add(organization: string, arrived: NewToken): StoredToken {
    return this.store.transaction(() => {
      const id = randomUUID();
      const { label = null, isDefault = true, expiresAt = null } = arrived;
      this.store.oauthTokens.insert({ ...arrived, id, organization, label, isDefault, expiresAt });
      const token = this.token(organization, id);
      if (isDefault) this.#demoteOthers(token);
      return token;
    });
  }

  update(organization: string, id: string, change: OAuthTokenUpdateRequest): StoredToken {
    return this.store.transaction(() => {
      const before = this.token(organization, id);
      const label = change.provider_account_label ?? before.label;
      const isDefault = change.is_default ?? before.isDefault;
      this.store.oauthTokens.update({ ...before, label, isDefault });
      if (isDefault) this.#demoteOthers(before);
      return this.token(organization, id);
    });
  }

  remove(organization: string, id: string): void {
    this.store.transaction(() => this.store.oauthTokens.remove(this.token(organization, id).id));
  }

  /** Removes all tokens for the specified providers. */
  removeAll(organization: string, providers: readonly string[]): void {
    this.store.transaction(() => {
      for (const provider of providers)
        for (const { id } of this.store.oauthTokens.of(organization, provider))
          this.store.oauthTokens.remove(id);
    });
  }

  /**
   * Clears the default flag of the user's other tokens for the same provider, because a user has one default token per
   * provider.
   */
  #demoteOthers({ id, organization, userId, provider }: StoredToken): void {
    if (userId === null) return;
    for (const other of this.store.oauthTokens.ofUser(organization, userId, provider))
      if (other.isDefault && other.id !== id) this.store.oauthTokens.update({ ...other, isDefault: false });
  }
}

/** Returns the token as it appears in lists. */
export function tokenSummaryOf(token: StoredToken): OAuthTokenSummary {
  return {
    id: token.id,
    provider_id: token.provider,
    provider_account_label: token.label,
    scopes: token.scopes,
    expires_at: token.expiresAt === null ? null : new Date(token.expiresAt).toISOString(),
    is_default: token.isDefault,
    created_at: new Date(token.createdAt).toISOString(),
    updated_at: new Date(token.updatedAt).toISOString(),
  };
}
