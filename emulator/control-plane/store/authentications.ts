import type { Database } from "./database";

/** A user's authentication with a provider: open until it has a token. */
export interface StoredAuthentication {
  id: string;
  organization: string;
  userId: string;
  provider: string;
  scopes: string[];
  token: string | null;
}

interface Row {
  id: string;
  organization: string;
  user_id: string;
  provider: string;
  scopes: string;
  token: string | null;
}

/** The table of authentications. */
export class Authentications {
  constructor(private readonly database: Database) {}

  find(id: string): StoredAuthentication | undefined {
    const row = this.database.get<Row>("SELECT * FROM authentications WHERE id = ?", id);
    return row && stored(row);
  }

  /** All of a user with a provider, newest first. */
  of(organization: string, userId: string, provider: string): StoredAuthentication[] {
    const sql =
      "SELECT * FROM authentications WHERE organization = ? AND user_id = ? AND provider = ? ORDER BY sequence DESC";
    return this.database.all<Row>(sql, organization, userId, provider).map(stored);
  }

  insert(made: StoredAuthentication): void {
    this.database.run(
      "INSERT INTO authentications (id, organization, user_id, provider, scopes, token) VALUES (?, ?, ?, ?, ?, ?)",
      made.id,
      made.organization,
      made.userId,
      made.provider,
      JSON.stringify(made.scopes),
      made.token,
    );
  }

  complete(id: string, token: string): void {
    this.database.run("UPDATE authentications SET token = ? WHERE id = ?", token, id);
  }
}

function stored(row: Row): StoredAuthentication {
  return {
    id: row.id,
    organization: row.organization,
    userId: row.user_id,
    provider: row.provider,
    scopes: JSON.parse(row.scopes),
    token: row.token,
  };
}
