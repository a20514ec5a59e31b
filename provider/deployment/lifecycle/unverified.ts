/** Most revisions of a failed verification that state keeps; no rollback looks back further. */
const mostUnverified = 20;

/** The revisions that did not pass a verification, with one more of them. */
export function withUnverified(ids: readonly string[] | undefined, id: string): string[] {
  return [...(ids ?? []).filter((other) => other !== id), id].slice(-mostUnverified);
}
