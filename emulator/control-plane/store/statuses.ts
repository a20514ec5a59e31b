import type { Database } from "../../storage/database";

/** A past status of a revision, and the time when it was set. */
export interface PastStatus {
  status: string;
  /** Time when the status was set, in milliseconds since 1970. */
  at: number;
}

/** SQL statements that create the table of all past statuses of revisions. */
export const statusTables = `
CREATE TABLE statuses (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
  status TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX statuses_of_revision ON statuses (revision_id, sequence);
`;

/** SQL statement that adds the last status of each revision that was created before statuses were recorded. */
export const knownStatuses = `
INSERT INTO statuses (revision_id, status, at) SELECT id, status, updated_at FROM revisions ORDER BY sequence;
`;

/** Records the status of a revision if it differs from the last recorded one. */
export function noteStatus(database: Database, revisionId: string, status: string, at: number): void {
  const last = database.get<{ status: string }>(
    "SELECT status FROM statuses WHERE revision_id = ? ORDER BY sequence DESC LIMIT 1",
    revisionId,
  );
  if (last?.status === status) return;
  database.run("INSERT INTO statuses (revision_id, status, at) VALUES (?, ?, ?)", revisionId, status, at);
}

/** Returns the past statuses of a revision, oldest first. */
export function statusesOf(database: Database, revisionId: string): PastStatus[] {
  return database.all<PastStatus>(
    "SELECT status, at FROM statuses WHERE revision_id = ? ORDER BY sequence",
    revisionId,
  );
}
