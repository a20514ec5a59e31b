import { randomUUID } from "node:crypto";
import type { AgentConnectionResponse, UpsertAgentProviderTokenRequest } from "../wire";
import type { Clock } from "../../clock";
import type { StoredConnection } from "../store/agent-connections";
import type { Store } from "../store/store";
import { refuseAuthentication } from "./refusals";
import type { TokenService } from "./tokens";

/** Value that is reported as the creator of a connection whose token does not belong to a user. */
const noUser = "api-key";

/** Service that manages the connections of agents to providers. */
export class ConnectionService {
  constructor(
    private readonly store: Store,
    private readonly tokens: TokenService,
    private readonly clock: Clock,
  ) {}

  list(organization: string, agentId: string): AgentConnectionResponse[] {
    return this.store.agentConnections.of(organization, agentId).map((one) => this.#record(one));
  }

  /** Connects an agent to a provider through a token. Returns the existing connection if the token already has one. */
  connect(organization: string, agentId: string, tokenId: string): AgentConnectionResponse {
    return this.store.transaction(() => {
      this.tokens.token(organization, tokenId);
      const find = (): StoredConnection | undefined =>
        this.store.agentConnections.of(organization, agentId).find((one) => one.tokenId === tokenId);
      if (!find()) this.store.agentConnections.insert({ id: randomUUID(), organization, agentId, tokenId });
      return this.#record(find()!);
    });
  }

  /**
   * Stores a token and connects the agent through it. The new connection replaces the agent's other connections to the
   * same provider.
   */
  connectWithToken(
    organization: string,
    agentId: string,
    provider: string,
    body: UpsertAgentProviderTokenRequest,
  ): AgentConnectionResponse {
    return this.store.transaction(() => {
      for (const { id, tokenId } of this.store.agentConnections.of(organization, agentId)) {
        const token = this.tokens.token(organization, tokenId);
        if (token.provider !== provider) continue;
        this.store.agentConnections.remove(id);
        if (token.userId === null && this.store.agentConnections.over(tokenId) === 0)
          this.tokens.remove(organization, tokenId);
      }
      const { expires_in_seconds: seconds } = body;
      const token = this.tokens.add(organization, {
        userId: null,
        provider,
        scopes: body.scopes,
        token: body.access_token,
        label: body.provider_account_label ?? null,
        isDefault: false,
        expiresAt: seconds == null ? null : this.clock.now() + seconds * 1000,
      });
      return this.connect(organization, agentId, token.id);
    });
  }

  disconnect(organization: string, agentId: string, id: string): void {
    this.store.transaction(() => {
      if (!this.store.agentConnections.of(organization, agentId).some((one) => one.id === id))
        throw refuseAuthentication.noConnection(id);
      this.store.agentConnections.remove(id);
    });
  }

  #record({ id, organization, agentId, tokenId, createdAt }: StoredConnection): AgentConnectionResponse {
    const token = this.tokens.token(organization, tokenId);
    return {
      id,
      agent_id: agentId,
      oauth_token_id: tokenId,
      provider_id: token.provider,
      provider_account_label: token.label,
      scopes: token.scopes,
      expires_at: token.expiresAt === null ? null : new Date(token.expiresAt).toISOString(),
      created_by: token.userId ?? noUser,
      created_at: new Date(createdAt).toISOString(),
    };
  }
}
