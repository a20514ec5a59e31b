/** Most revisions of a failed verification that state keeps. */
const mostUnverified = 20;

/** Whether there may be more of them than state has kept. */
export function mayHaveMore(ids: readonly string[]): boolean {
  return ids.length >= mostUnverified;
}

/** The revisions that did not pass a verification, with one more of them. */
export function withUnverified(ids: readonly string[] | undefined, id: string): string[] {
  return [...(ids ?? []).filter((other) => other !== id), id].slice(-mostUnverified);
}
