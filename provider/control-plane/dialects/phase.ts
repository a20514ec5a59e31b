/** What a status word means for somebody who waits. */
export type RevisionPhase = "progress" | "deployed" | "failed";

/** `DEPLOYED` is success, a word that contains `FAILED` is failure, and all else is progress. */
export function revisionPhase(status: string): RevisionPhase {
  if (status === "DEPLOYED") return "deployed";
  return status.includes("FAILED") ? "failed" : "progress";
}
