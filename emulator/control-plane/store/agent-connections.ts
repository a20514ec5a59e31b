import type { Clock } from "../../clock";
import type { Database } from "../../storage/database";

/** A connection of an agent, as stored. */
export interface StoredConnection {
  id: string;
  organization: string;
  agentId: string;
  tokenId: string;
  createdAt: number;
}

/** SQL statements that create the table of connections. A connection is deleted together with its token. */
export const connectionTables = `
CREATE TABLE agent_connections (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  organization TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  token_id TEXT NOT NULL REFERENCES oauth_tokens (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  UNIQUE (organization, agent_id, token_id)
) STRICT;
`;

const columns = `id, organization, agent_id AS agentId, token_id AS tokenId, created_at AS createdAt`;

/** Access to the table of agent connections. */
export class AgentConnections {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns all connections of an agent, oldest first. */
  of(organization: string, agentId: string): StoredConnection[] {
    const sql = `SELECT ${columns} FROM agent_connections WHERE organization = ? AND agent_id = ? ORDER BY sequence`;
    return this.database.all<StoredConnection>(sql, organization, agentId);
  }

  /** Returns the number of connections that use a token. */
  over(tokenId: string): number {
    const sql = "SELECT count(*) AS count FROM agent_connections WHERE token_id = ?";
    return this.database.get<{ count: number }>(sql, tokenId)!.count;
  }

  insert(made: Omit<StoredConnection, "createdAt">): void {
    this.database.run(
      "INSERT INTO agent_connections (id, organization, agent_id, token_id, created_at) VALUES (?, ?, ?, ?, ?)",
      made.id,
      made.organization,
      made.agentId,
      made.tokenId,
      this.clock.now(),
    );
  }

  remove(id: string): void {
    this.database.run("DELETE FROM agent_connections WHERE id = ?", id);
  }
}
