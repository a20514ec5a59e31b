import type { RevisionRecord } from "../../../wire";
import { allOf } from "../../http/pages";
import type { ControlPlaneOperation } from "../../resource/operation";

/**
 * The revisions of a deployment that are newer than one of them, newest first; all of them where there was none.
 * Nothing where the server does not list that one any more.
 */
export async function newerThan(
  { plane: { client }, time: { signal } }: ControlPlaneOperation,
  deploymentId: string,
  known: string | null | undefined,
): Promise<RevisionRecord[] | undefined> {
  if (known) return client.revisions.after(deploymentId, known, signal);
  return allOf(client.revisions.pages(deploymentId, signal));
}

/** The same where a revision is looked for: if it cannot be said which ones are newer, the newest alone may be. */
export async function newerOrNewest(
  op: ControlPlaneOperation,
  deploymentId: string,
  known: string | null | undefined,
): Promise<RevisionRecord[]> {
  const newer = await newerThan(op, deploymentId, known);
  return newer ?? (await op.plane.client.revisions.list(deploymentId, op.time.signal)).slice(0, 1);
}

/** The same for a report, which must not fail what is reported: none where they cannot be looked up. */
export async function newerIfListed(
  op: ControlPlaneOperation,
  deploymentId: string,
  known: string,
): Promise<RevisionRecord[]> {
  return (await newerThan(op, deploymentId, known).catch(() => [])) ?? [];
}
