import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";

/** An OAuth provider as stored. */
export interface StoredProvider {
  id: string;
  organization: string;
  /** ID that clients use for the provider. */
  providerId: string;
  settings: ProviderSettings;
  clientSecret: string | null;
  createdAt: number;
  updatedAt: number;
}

/** Provider settings that clients can see. */
export interface ProviderSettings {
  name: string;
  clientId: string;
  authUrl: string;
  tokenUrl: string;
  usesPkce: boolean;
  codeChallengeMethod: string;
  providerType: string | null;
  mcpServerUrl: string | null;
  tokenEndpointAuthMethod: string;
  isDynamicClient: boolean;
}

/** SQL statements that create the table of OAuth providers. */
export const providerTables = `
CREATE TABLE oauth_providers (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organization TEXT NOT NULL,
  provider_id TEXT NOT NULL,
  settings TEXT NOT NULL,
  client_secret TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (organization, provider_id)
) STRICT;
`;

interface Row {
  id: string;
  organization: string;
  provider_id: string;
  settings: string;
  client_secret: string | null;
  created_at: number;
  updated_at: number;
}

/** Access to the table of OAuth providers. */
export class OAuthProviders {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(organization: string, providerId: string): StoredProvider | undefined {
    const sql = "SELECT * FROM oauth_providers WHERE organization = ? AND provider_id = ?";
    const row = this.database.get<Row>(sql, organization, providerId);
    return row && stored(row);
  }

  /** Returns all providers of an organization, oldest first. */
  of(organization: string): StoredProvider[] {
    const sql = "SELECT * FROM oauth_providers WHERE organization = ? ORDER BY sequence";
    return this.database.all<Row>(sql, organization).map(stored);
  }

  insert(made: Omit<StoredProvider, "createdAt" | "updatedAt">): void {
    const now = this.clock.now();
    this.database.run(
      `INSERT INTO oauth_providers (id, organization, provider_id, settings, client_secret, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      made.id,
      made.organization,
      made.providerId,
      JSON.stringify(made.settings),
      made.clientSecret,
      now,
      now,
    );
  }

  /** Writes the mutable fields and the update time. */
  update({ id, settings, clientSecret, updatedAt }: StoredProvider): void {
    this.database.run(
      "UPDATE oauth_providers SET settings = ?, client_secret = ?, updated_at = ? WHERE id = ?",
      JSON.stringify(settings),
      clientSecret,
      Math.max(this.clock.now(), updatedAt + 1),
      id,
    );
  }

  remove(id: string): void {
    this.database.run("DELETE FROM oauth_providers WHERE id = ?", id);
  }
}

function stored(row: Row): StoredProvider {
  return {
    id: row.id,
    organization: row.organization,
    providerId: row.provider_id,
    settings: JSON.parse(row.settings) as StoredProvider["settings"],
    clientSecret: row.client_secret,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
