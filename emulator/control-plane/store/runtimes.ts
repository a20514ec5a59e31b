import type { Database } from "../../storage/database";

/** What runs each revision, as far as that is known. */
export const runtimeTables = `
CREATE TABLE IF NOT EXISTS runtimes (
  revision_id TEXT PRIMARY KEY REFERENCES revisions (id) ON DELETE CASCADE,
  name TEXT NOT NULL
) STRICT;
`;

/** Notes what runs a revision: a name and a version, for people. */
export function noteRuntime(database: Database, revisionId: string, name: string): void {
  database.run("INSERT OR REPLACE INTO runtimes (revision_id, name) VALUES (?, ?)", revisionId, name);
}

/** What runs a revision; undefined while nobody has said so. */
export function runtimeOf(database: Database, revisionId: string): string | undefined {
  return database.get<{ name: string }>("SELECT name FROM runtimes WHERE revision_id = ?", revisionId)?.name;
}
