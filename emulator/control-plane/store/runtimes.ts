import type { Database } from "../../storage/database";

/** SQL statements that create the table of the known runtimes of revisions. */
export const runtimeTables = `
CREATE TABLE IF NOT EXISTS runtimes (
  revision_id TEXT PRIMARY KEY REFERENCES revisions (id) ON DELETE CASCADE,
  name TEXT NOT NULL
) STRICT;
`;

/** Records the name and version of a revision's runtime, which are displayed to users. */
export function noteRuntime(database: Database, revisionId: string, name: string): void {
  database.run("INSERT OR REPLACE INTO runtimes (revision_id, name) VALUES (?, ?)", revisionId, name);
}

/** Returns the runtime of a revision, or `undefined` if it has not been recorded. */
export function runtimeOf(database: Database, revisionId: string): string | undefined {
  return database.get<{ name: string }>("SELECT name FROM runtimes WHERE revision_id = ?", revisionId)?.name;
}
