import type { Database } from "../../storage/database";

/** App that was installed to create an integration. */
export type IntegrationKind = "github" | "forge-github";

/** A repository as specified in the seed. */
export interface StoredRepository {
  owner: string;
  name: string;
  url: string;
  defaultBranch: string;
}

/** An integration as stored. */
export interface StoredIntegration {
  id: string;
  tenantId: string;
  kind: IntegrationKind;
  name: string;
  installationId: number;
  repositories: StoredRepository[];
  /** Folder that contains additional git repositories. */
  folder: string | null;
}

/** A link that creates an integration when it is opened. */
export interface StoredInstallation {
  id: string;
  tenantId: string;
  kind: IntegrationKind;
  returnTo: string | null;
}

/** SQL statements that create the tables of integrations. */
export const integrationTables = `
CREATE TABLE integrations (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  installation_id INTEGER NOT NULL,
  repositories TEXT NOT NULL,
  folder TEXT,
  UNIQUE (tenant_id, kind, name)
) STRICT;

CREATE TABLE installations (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  return_to TEXT
) STRICT;
`;

interface Row {
  id: string;
  tenant_id: string;
  kind: string;
  name: string;
  installation_id: number;
  repositories: string;
  folder: string | null;
}

/** Access to the tables of integrations and their installation links. */
export class Integrations {
  constructor(private readonly database: Database) {}

  find(id: string): StoredIntegration | undefined {
    return stored(this.database.get<Row>("SELECT * FROM integrations WHERE id = ?", id));
  }

  findByName(tenantId: string, kind: IntegrationKind, name: string): StoredIntegration | undefined {
    const sql = "SELECT * FROM integrations WHERE tenant_id = ? AND kind = ? AND name = ?";
    return stored(this.database.get<Row>(sql, tenantId, kind, name));
  }

  /** Returns all integrations of a tenant, oldest first. */
  of(tenantId: string, kind: IntegrationKind): StoredIntegration[] {
    const sql = "SELECT * FROM integrations WHERE tenant_id = ? AND kind = ? ORDER BY sequence";
    return this.database.all<Row>(sql, tenantId, kind).map((row) => stored(row)!);
  }

  /** Writes an integration. If the tenant already has an integration with the same name, it is replaced. */
  put(made: StoredIntegration): void {
    this.database.run(
      `INSERT INTO integrations (id, tenant_id, kind, name, installation_id, repositories, folder)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, kind, name) DO UPDATE SET id = excluded.id,
       installation_id = excluded.installation_id, repositories = excluded.repositories, folder = excluded.folder`,
      made.id,
      made.tenantId,
      made.kind,
      made.name,
      made.installationId,
      JSON.stringify(made.repositories),
      made.folder,
    );
  }

  remove(id: string): void {
    this.database.run("DELETE FROM integrations WHERE id = ?", id);
  }

  /** Returns the highest `installation_id` in use, or 0. */
  lastInstallationId(): number {
    const sql = "SELECT coalesce(max(installation_id), 0) AS last FROM integrations";
    return this.database.get<{ last: number }>(sql)!.last;
  }

  insertInstallation(made: StoredInstallation): void {
    this.database.run(
      "INSERT INTO installations (id, tenant_id, kind, return_to) VALUES (?, ?, ?, ?)",
      made.id,
      made.tenantId,
      made.kind,
      made.returnTo,
    );
  }

  findInstallation(id: string): StoredInstallation | undefined {
    return this.database.get<StoredInstallation>(
      "SELECT id, tenant_id AS tenantId, kind, return_to AS returnTo FROM installations WHERE id = ?",
      id,
    );
  }
}

function stored(row: Row | undefined): StoredIntegration | undefined {
  if (!row) return undefined;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind as IntegrationKind,
    name: row.name,
    installationId: row.installation_id,
    repositories: JSON.parse(row.repositories) as StoredIntegration["repositories"],
    folder: row.folder,
  };
}
