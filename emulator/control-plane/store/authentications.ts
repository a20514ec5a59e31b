import type { Database } from "../../storage/database";

/** Authentication of a user with a provider. It is open until it has created a token. */
export interface StoredAuthentication {
  id: string;
  organization: string;
  userId: string;
  provider: string;
  scopes: string[];
  /** True if the token takes precedence over the other tokens of the user. */
  isDefault: boolean;
  /** ID of the token that was created; null while the authentication is open. */
  tokenId: string | null;
}

/**
 * SQL statements that create the table of authentications. An authentication is deleted together with the token that it
 * created.
 */
export const authenticationTables = `
CREATE TABLE authentications (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organization TEXT NOT NULL,
  user_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  scopes TEXT NOT NULL,
  is_default INTEGER NOT NULL,
  token_id TEXT REFERENCES oauth_tokens (id) ON DELETE CASCADE
) STRICT;
`;

interface Row {
  id: string;
  organization: string;
  user_id: string;
  provider: string;
  scopes: string;
  is_default: number;
  token_id: string | null;
}

/** Access to the table of authentications. */
export class Authentications {
  constructor(private readonly database: Database) {}

  find(id: string): StoredAuthentication | undefined {
    const row = this.database.get<Row>("SELECT * FROM authentications WHERE id = ?", id);
    return row && stored(row);
  }

  /** Returns a user's open authentications with a provider, newest first. */
  open(organization: string, userId: string, provider: string): StoredAuthentication[] {
    const sql = `SELECT * FROM authentications WHERE organization = ? AND user_id = ? AND provider = ?
      AND token_id IS NULL ORDER BY sequence DESC`;
    return this.database.all<Row>(sql, organization, userId, provider).map(stored);
  }

  insert(made: StoredAuthentication): void {
    this.database.run(
      `INSERT INTO authentications (id, organization, user_id, provider, scopes, is_default, token_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      made.id,
      made.organization,
      made.userId,
      made.provider,
      JSON.stringify(made.scopes),
      Number(made.isDefault),
      made.tokenId,
    );
  }

  complete(id: string, tokenId: string): void {
    this.database.run("UPDATE authentications SET token_id = ? WHERE id = ?", tokenId, id);
  }

  /** Deletes the open authentications of a provider. */
  removeOpen(organization: string, provider: string): void {
    const sql = "DELETE FROM authentications WHERE organization = ? AND provider = ? AND token_id IS NULL";
    this.database.run(sql, organization, provider);
  }
}

function stored(row: Row): StoredAuthentication {
  return {
    id: row.id,
    organization: row.organization,
    userId: row.user_id,
    provider: row.provider,
    scopes: JSON.parse(row.scopes) as StoredAuthentication["scopes"],
    isDefault: row.is_default === 1,
    tokenId: row.token_id,
  };
}
