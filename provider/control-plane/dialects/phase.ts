import type { Dialect } from "./dialect";

/** Meaning of a revision status for the operation that waits for the revision. */
export type RevisionPhase = "progress" | "deployed" | "failed" | "superseded";

/**
 * Returns the meaning of a revision status. In every dialect, `DEPLOYED` means success and a status that contains
 * `FAILED` means failure. A dialect can also have statuses for revisions that were replaced by a newer one. All other
 * statuses mean progress.
 */
export function revisionPhase(status: string, dialect: Dialect): RevisionPhase {
  if (status === "DEPLOYED") return "deployed";
  if (status.includes("FAILED")) return "failed";
  return dialect.table.supersededStatuses.includes(status) ? "superseded" : "progress";
}
