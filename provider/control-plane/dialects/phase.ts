import type { Dialect } from "./dialect";

/** What a status word means for somebody who waits. */
export type RevisionPhase = "progress" | "deployed" | "failed" | "superseded";

/**
 * `DEPLOYED` is success, a word that contains `FAILED` is failure, all else is progress. A dialect may add final
 * words, but never take one away.
 */
export function revisionPhase(status: string, dialect: Dialect): RevisionPhase {
  if (status === "DEPLOYED") return "deployed";
  if (status.includes("FAILED")) return "failed";
  return dialect.terminal.get(status) ?? "progress";
}
