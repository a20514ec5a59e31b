import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";

/** A token as stored. */
export interface StoredToken {
  id: string;
  organization: string;
  /** User who owns the token, or null if it belongs only to an agent. */
  userId: string | null;
  provider: string;
  scopes: string[];
  token: string;
  label: string | null;
  /** True if the token takes precedence over the other tokens of the user for this provider. */
  isDefault: boolean;
  expiresAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** SQL statements that create the table of tokens. */
export const tokenTables = `
CREATE TABLE oauth_tokens (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organization TEXT NOT NULL,
  user_id TEXT,
  provider TEXT NOT NULL,
  scopes TEXT NOT NULL,
  token TEXT NOT NULL,
  label TEXT,
  is_default INTEGER NOT NULL,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_tokens_of_user ON oauth_tokens (organization, provider, user_id);
`;

interface Row {
  id: string;
  organization: string;
  user_id: string | null;
  provider: string;
  scopes: string;
  token: string;
  label: string | null;
  is_default: number;
  expires_at: number | null;
  created_at: number;
  updated_at: number;
}

/** Access to the table of tokens. */
export class OAuthTokens {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  find(organization: string, id: string): StoredToken | undefined {
    const sql = "SELECT * FROM oauth_tokens WHERE organization = ? AND id = ?";
    const row = this.database.get<Row>(sql, organization, id);
    return row && stored(row);
  }

  /** Returns all tokens of an organization, or all of its tokens for one provider, newest first. */
  of(organization: string, provider?: string): StoredToken[] {
    const sql =
      "SELECT * FROM oauth_tokens WHERE organization = ? AND (? IS NULL OR provider = ?) ORDER BY sequence DESC";
    return this.database.all<Row>(sql, organization, provider ?? null, provider ?? null).map(stored);
  }

  /** Returns a user's tokens for a provider: the default token first, then the others, newest first. */
  ofUser(organization: string, userId: string, provider: string): StoredToken[] {
    const sql = `SELECT * FROM oauth_tokens WHERE organization = ? AND provider = ? AND user_id = ?
      ORDER BY is_default DESC, sequence DESC`;
    return this.database.all<Row>(sql, organization, provider, userId).map(stored);
  }

  insert(made: Omit<StoredToken, "createdAt" | "updatedAt">): void {
    const now = this.clock.now();
    this.database.run(
      `INSERT INTO oauth_tokens (id, organization, user_id, provider, scopes, token, label, is_default, expires_at,
       created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      made.id,
      made.organization,
      made.userId,
      made.provider,
      JSON.stringify(made.scopes),
      made.token,
      made.label,
      Number(made.isDefault),
      made.expiresAt,
      now,
      now,
    );
  }

  /** Writes the label, the default flag, and the update time. */
  update({ id, label, isDefault, updatedAt }: StoredToken): void {
    this.database.run(
      "UPDATE oauth_tokens SET label = ?, is_default = ?, updated_at = ? WHERE id = ?",
      label,
      Number(isDefault),
      Math.max(this.clock.now(), updatedAt + 1),
      id,
    );
  }

  remove(id: string): void {
    this.database.run("DELETE FROM oauth_tokens WHERE id = ?", id);
  }
}

function stored(row: Row): StoredToken {
  return {
    id: row.id,
    organization: row.organization,
    userId: row.user_id,
    provider: row.provider,
    scopes: JSON.parse(row.scopes) as StoredToken["scopes"],
    token: row.token,
    label: row.label,
    isDefault: row.is_default === 1,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
