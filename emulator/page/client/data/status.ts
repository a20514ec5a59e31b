/** True if a status is a final result, which never changes. */
function settled(status: string): boolean {
  return status === "DEPLOYED" || status.includes("FAILED");
}

/** True if a rollout with this status has ended. */
export function ended(status: string): boolean {
  return settled(status) || status === "SKIPPED" || status === "INTERRUPTED";
}

/** Returns the tone of a status. The style sheet defines a color for each tone. */
export function toneOf(status: string): string {
  if (status === "DEPLOYED" || status === "READY") return "good";
  if (status.includes("FAILED")) return "bad";
  if (status.includes("DELETE")) return "gone";
  if (status.startsWith("AWAITING")) return "wait";
  if (status.includes("BUILD")) return "build";
  if (status.includes("DEPLOY")) return "deploy";
  if (ended(status)) return "gone";
  return "wait";
}
