/** Whether a status is a verdict: nothing follows it. */
function settled(status) {
  return status === "DEPLOYED" || status.includes("FAILED");
}

/** Whether nothing more is to be expected of a rollout in this status. */
export function ended(status) {
  return settled(status) || status === "SKIPPED" || status === "INTERRUPTED";
}

/** What a status means to a person, in one of few words that the style sheet gives colours to. */
export function toneOf(status) {
  if (status === "DEPLOYED" || status === "READY") return "good";
  if (status.includes("FAILED")) return "bad";
  if (status.includes("DELETE")) return "gone";
  if (status.startsWith("AWAITING")) return "wait";
  if (status.includes("BUILD")) return "build";
  if (status.includes("DEPLOY")) return "deploy";
  if (ended(status)) return "gone";
  return "wait";
}
