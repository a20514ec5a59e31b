/**
 * Returns the revision that serves requests: the reported one or, if none is reported, the newest one that is
 * `DEPLOYED`.
 * @param revisions newest first
 */
export function findServing<Revision extends { id: string; status: string }>(
  revisions: readonly Revision[],
  activeRevisionId: string | null | undefined,
): Revision | undefined {
  return (
    revisions.find(({ id }) => id === activeRevisionId) ??
    revisions.find(({ status }) => status === "DEPLOYED")
  );
}
