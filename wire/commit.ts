/** True if the ref is a full commit ID (SHA-1 or SHA-256), which never moves. */
export function isCommit(ref: unknown): boolean {
  return typeof ref === "string" && /^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(ref);
}
