import { randomUUID } from "node:crypto";
import type { OAuthProviderCreateRequest, OAuthProviderResponse, OAuthProviderUpdateRequest } from "../wire";
import type { ProviderSettings, StoredProvider } from "../store/oauth-providers";
import type { Store } from "../store/store";
import { refuseAuthentication } from "./refusals";
import type { TokenService } from "./tokens";

/** Client settings that were discovered through an MCP server. */
export type DiscoveredClient = Pick<
  ProviderSettings,
  "clientId" | "authUrl" | "tokenUrl" | "tokenEndpointAuthMethod"
> & { clientSecret: string | null };

/** Service that manages the OAuth providers of organizations. */
export class ProviderService {
  constructor(
    private readonly store: Store,
    private readonly tokens: TokenService,
  ) {}

  provider(organization: string, providerId: string): StoredProvider {
    const found = this.store.oauthProviders.find(organization, providerId);
    if (!found) throw refuseAuthentication.noProvider(providerId);
    return found;
  }

  /** Returns all providers of an organization, oldest first. */
  list(organization: string): StoredProvider[] {
    return this.store.oauthProviders.of(organization);
  }

  create(organization: string, body: OAuthProviderCreateRequest): StoredProvider {
    return this.#insert(organization, body.provider_id, body.client_secret ?? null, {
      name: body.name,
      clientId: body.client_id,
      authUrl: body.auth_url,
      tokenUrl: body.token_url,
      usesPkce: body.uses_pkce,
      codeChallengeMethod: body.code_challenge_method,
      providerType: body.provider_type ?? null,
      mcpServerUrl: null,
      tokenEndpointAuthMethod: body.token_endpoint_auth_method,
      isDynamicClient: false,
    });
  }

  /** Creates a provider from the metadata of an MCP server. */
  adopt(
    organization: string,
    named: { provider_id: string; name: string; mcp_server_url: string },
    { clientSecret, ...client }: DiscoveredClient,
  ): StoredProvider {
    return this.#insert(organization, named.provider_id, clientSecret, {
      ...client,
      name: named.name,
      usesPkce: true,
      codeChallengeMethod: "S256",
      providerType: null,
      mcpServerUrl: named.mcp_server_url,
      isDynamicClient: true,
    });
  }

  /** Rejects the ID of a new provider if it is already in use. */
  requireFree(organization: string, providerId: string): void {
    if (this.store.oauthProviders.find(organization, providerId))
      throw refuseAuthentication.providerTaken(providerId);
  }

  update(organization: string, providerId: string, change: OAuthProviderUpdateRequest): StoredProvider {
    return this.store.transaction(() => {
      const before = this.provider(organization, providerId);
      const { settings } = before;
      this.store.oauthProviders.update({
        ...before,
        clientSecret: change.client_secret ?? before.clientSecret,
        settings: {
          ...settings,
          name: change.name ?? settings.name,
          clientId: change.client_id ?? settings.clientId,
          authUrl: change.auth_url ?? settings.authUrl,
          tokenUrl: change.token_url ?? settings.tokenUrl,
          usesPkce: change.uses_pkce ?? settings.usesPkce,
          codeChallengeMethod: change.code_challenge_method ?? settings.codeChallengeMethod,
        },
      });
      return this.provider(organization, providerId);
    });
  }

  /** Deletes a provider, its tokens, and its pending authentications. */
  remove(organization: string, providerId: string): void {
    this.store.transaction(() => {
      this.store.oauthProviders.remove(this.provider(organization, providerId).id);
      this.store.authentications.removeOpen(organization, providerId);
      this.tokens.removeAll(organization, [providerId]);
    });
  }

  #insert(
    organization: string,
    providerId: string,
    clientSecret: string | null,
    settings: ProviderSettings,
  ): StoredProvider {
    return this.store.transaction(() => {
      this.requireFree(organization, providerId);
      this.store.oauthProviders.insert({
        id: randomUUID(),
        organization,
        providerId,
        settings,
        clientSecret,
      });
      return this.provider(organization, providerId);
    });
  }
}

/** Returns the provider as clients see it. */
export function providerRecordOf(provider: StoredProvider): OAuthProviderResponse {
  const { settings } = provider;
  return {
    id: provider.id,
    organization_id: provider.organization,
    provider_id: provider.providerId,
    name: settings.name,
    client_id: settings.clientId,
    auth_url: settings.authUrl,
    token_url: settings.tokenUrl,
    uses_pkce: settings.usesPkce,
    code_challenge_method: settings.codeChallengeMethod,
    provider_type: settings.providerType,
    mcp_server_url: settings.mcpServerUrl,
    token_endpoint_auth_method: settings.tokenEndpointAuthMethod,
    is_dynamic_client: settings.isDynamicClient,
    created_at: new Date(provider.createdAt).toISOString(),
    updated_at: new Date(provider.updatedAt).toISOString(),
  };
}
