import type { Dialect } from "./dialect";

/** What a status word means for somebody who waits. */
export type RevisionPhase = "progress" | "deployed" | "failed" | "superseded";

/**
 * `DEPLOYED` is success and a word that contains `FAILED` is failure, in every dialect; a dialect may have words for a
 * revision that a newer one replaced; all else is progress.
 */
export function revisionPhase(status: string, dialect: Dialect): RevisionPhase {
  if (status === "DEPLOYED") return "deployed";
  if (status.includes("FAILED")) return "failed";
  return dialect.table.supersededStatuses.includes(status) ? "superseded" : "progress";
}
