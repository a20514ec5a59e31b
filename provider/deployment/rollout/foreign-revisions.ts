import type { DeploymentRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { RolloutEnd } from "./verify";
import type { ControlPlaneOperation } from "../../resource/operation";
import { newerIfListed } from "./newer-revisions";
import type { RolloutRequest } from "./awaited";

/**
 * Describes a revision that this stack does not know.
 * @param known the newest revision that it knows
 */
export function foreignRevisionText(
  { id, latest_revision_id: latest }: DeploymentRecord,
  known: string | null | undefined,
): string {
  return `Revision ${latest} of deployment ${id} is newer than the last one that this stack knows (${known || "none"}) and was not created by it, or was created by an interrupted update`;
}

/** Refuses a change because of such a revision. */
export function foreignRevision(
  record: DeploymentRecord,
  known: string | null | undefined,
): AgentServerError {
  return new AgentServerError(
    "foreign_revision",
    `${foreignRevisionText(record, known)}; nothing was changed. Look at it and run \`pulumi refresh\` to accept it, or set rollout.onConflict to "proceed".`,
    { deploymentId: record.id, revisionId: record.latest_revision_id ?? undefined },
  );
}

/**
 * Reports which revisions somebody else made after the look that came before a change: two `up`s at once may both have
 * looked before either wrote. The change took their place, and nothing else would say so.
 * @param found the newest revision at that look
 * @param ours the revision that the change made last
 * @param own all revisions that it made
 */
export async function reportOvertaken(
  op: ControlPlaneOperation,
  deploymentId: string,
  found: string,
  ours: string,
  own: readonly string[] = [],
): Promise<void> {
  const newer = await newerIfListed(op, deploymentId, found);
  const place = newer.findIndex(({ id }) => id === ours);
  if (place === -1) return;
  for (const { id } of newer.slice(place + 1))
    if (!own.includes(id))
      op.report.log(
        "warning",
        `Somebody else made revision ${id} of deployment ${deploymentId} just before this one (${ours}), which took its place.`,
      );
}

/** Says what somebody else did meanwhile; it is neither waited for nor undone. */
export function reportNewer(
  op: ControlPlaneOperation,
  record: DeploymentRecord,
  { latestRevisionId }: RolloutRequest,
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
  op.report.log(
    "warning",
    `Somebody else made revision ${newest} of deployment ${record.id} while this one (${made ?? ours}) was rolled out. That one is not waited for.`,
  );
}

/** Reports which revision took the place of one that was never rolled out. */
export async function reportSuperseded(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
): Promise<void> {
  const newer = await newerIfListed(op, deploymentId, revisionId);
  const successor = newer.findLast(
    ({ status }) => !op.plane.dialect.table.supersededStatuses.includes(status),
  );
  const by = successor ? `revision ${successor.id} (${successor.status})` : "a newer revision";
  op.report.log(
    "warning",
    `Revision ${revisionId} of deployment ${deploymentId} was superseded by ${by} before it was rolled out. That one is not waited for.`,
  );
}
