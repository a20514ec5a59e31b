import type { Database } from "../../storage/database";
import { connectionTables } from "./agent-connections";
import { authenticationTables } from "./authentications";
import { integrationTables } from "./integrations";
import { listenerTables } from "./listeners";
import { providerTables } from "./oauth-providers";
import { tokenTables } from "./oauth-tokens";
import { runtimeTables } from "./runtimes";
import { knownStatuses, statusTables } from "./statuses";
import { trackedBranchTables } from "./tracked-branches";

/** Version of the database schema. */
const schemaVersion = 7;

/** Statements that migrate the tables from an earlier version. Databases with any other version are rejected. */
const migrations: Record<number, string> = {
  5: `${statusTables}${knownStatuses}${runtimeTables}`,
  6: runtimeTables,
};

/** Tables of the control plane. The `sequence` is the order of creation. Times are in milliseconds since 1970. */
const schema = `
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE deployments (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  source_config TEXT NOT NULL,
  secrets TEXT NOT NULL,
  traits TEXT NOT NULL,
  status TEXT NOT NULL,
  latest_revision_id TEXT,
  active_revision_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_time INTEGER NOT NULL,
  database_at INTEGER,
  final_at INTEGER,
  gone_at INTEGER,
  UNIQUE (tenant_id, name)
) STRICT;

CREATE TABLE tracing_projects (
  tenant_id TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (tenant_id, name)
) STRICT;

CREATE TABLE revisions (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  status_message TEXT,
  phase TEXT NOT NULL,
  source_config TEXT NOT NULL,
  source_revision_config TEXT NOT NULL,
  secrets TEXT NOT NULL,
  resolved_commit TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_of_deployment ON revisions (deployment_id, sequence);

CREATE TABLE logs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  level TEXT NOT NULL,
  message TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX logs_of_revision ON logs (revision_id, sequence);
${statusTables}${runtimeTables}${integrationTables}${listenerTables}${providerTables}${tokenTables}${authenticationTables}${connectionTables}${trackedBranchTables}`;

/** Creates the tables, or migrates the tables of an earlier version. Throws if the version is unknown. */
export function prepareTables(database: Database): void {
  const { user_version: found } = database.get<{ user_version: number }>("PRAGMA user_version")!;
  if (found === schemaVersion) return;
  const migration = found === 0 ? schema : migrations[found];
  if (migration === undefined)
    throw new Error(
      `The state was written by another version of the local control plane (schema ${found}; ` +
        `this version reads schema ${schemaVersion}). Use that version, or another state folder.`,
    );
  database.exec(migration);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}
