import type { DeploymentRecord } from "../../control-plane/wire";
import type { RolloutEnd } from "./follow";
import type { Operation } from "./operation";
import type { Written } from "./written";

/**
 * Reports which revisions somebody else made after the look that came before a change: two `up`s at once may both have
 * looked before either wrote. The change took their place, and nothing else would say so.
 * @param found the newest revision at that look
 * @param ours the revision that the change made
 */
export async function reportOvertaken(
  op: Operation,
  deploymentId: string,
  found: string,
  ours: string,
): Promise<void> {
  // By now the deployment must reach the state, whether or not its revisions can be looked up.
  const newer = (await op.client.revisionsAfter(deploymentId, found, op.signal).catch(() => [])) ?? [];
  const place = newer.findIndex(({ id }) => id === ours);
  if (place === -1) return;
  for (const { id } of newer.slice(place + 1))
    op.log(
      "warning",
      `somebody else made revision ${id} of deployment ${deploymentId} just before this one (${ours}), which took its place`,
    );
}

/** Says what somebody else did meanwhile; it is neither waited for nor undone. */
export function reportNewer(
  op: Operation,
  record: DeploymentRecord,
  { latestRevisionId }: Written,
  {
    revisionId: ours,
    end,
    rollback,
  }: { revisionId?: string; end?: RolloutEnd; rollback?: { revisionId?: string } | { impossible: string } },
): void {
  const newest = record.latest_revision_id;
  const made = rollback && "revisionId" in rollback ? rollback.revisionId : undefined;
  if (!end || end.outcome === "superseded" || !newest) return;
  if ([ours, made, latestRevisionId].includes(newest)) return;
  op.log(
    "warning",
    `somebody else made revision ${newest} of deployment ${record.id} while this one (${made ?? ours}) was rolled out; does not wait for that`,
  );
}
