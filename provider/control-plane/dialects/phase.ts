import type { Dialect } from "./dialect";

/** Meaning of a revision status for the operation that waits for the revision. */
export type RevisionPhase = "progress" | "deployed" | "failed" | "superseded";

/**
 * `DEPLOYED` is success and a status that contains `FAILED` is failure, in every dialect. A dialect may have statuses
 * for a revision that a newer one replaced. All others are progress.
 */
export function revisionPhase(status: string, dialect: Dialect): RevisionPhase {
  if (status === "DEPLOYED") return "deployed";
  if (status.includes("FAILED")) return "failed";
  return dialect.table.supersededStatuses.includes(status) ? "superseded" : "progress";
}
