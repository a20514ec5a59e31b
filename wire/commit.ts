/** Whether a ref is the full id of a commit, SHA-1 or SHA-256: such a ref does not move. */
export function isCommit(ref: unknown): boolean {
  return typeof ref === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref);
}
