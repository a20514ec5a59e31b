import { isCommit, type DeploymentRecord, type RevisionRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { RolloutEnd } from "./verify";
import { allOf } from "../../http/pages";
import { isSameJson } from "../../resource/inputs/json";
import type { ControlPlaneOperation } from "../../resource/operation";
import { isBuiltFrom, merge } from "../current";
import type { SourceRevisionConfigInputs } from "../inputs/inputs";
import { fromWireSourceRevisionConfig } from "../mapping";
import type { DeploymentState } from "../state";
import type { RolloutRequest } from "./awaited";

/**
 * Returns the revisions of a deployment that are newer than the known one, newest first. Returns all revisions if none
 * is known, and `undefined` if the server no longer lists the known one.
 */
export async function newerRevisions(
  { plane: { client }, time: { signal } }: ControlPlaneOperation,
  deploymentId: string,
  known: string | null | undefined,
): Promise<RevisionRecord[] | undefined> {
  if (known) return client.revisions.after(deploymentId, known, signal);
  return allOf(client.revisions.pages(deploymentId, signal));
}

/**
 * Returns the newer revisions for a search. If it is unclear which ones are newer, returns only the newest revision.
 */
export async function newerOrNewest(
  op: ControlPlaneOperation,
  deploymentId: string,
  known: string | null | undefined,
): Promise<RevisionRecord[]> {
  const newer = await newerRevisions(op, deploymentId, known);
  return newer ?? (await op.plane.client.revisions.list(deploymentId, op.time.signal)).slice(0, 1);
}

/**
 * Returns the newer revisions for a report. Returns none if they cannot be read, because a report must not fail the
 * operation.
 */
async function newerIfListed(
  op: ControlPlaneOperation,
  deploymentId: string,
  known: string,
): Promise<RevisionRecord[]> {
  return (await newerRevisions(op, deploymentId, known).catch(() => [])) ?? [];
}

/**
 * Returns the oldest revision since `before` that a change without a source could have created, if any: a change that
 * sent only settings or secrets. Such a revision has the same source as the revision before it.
 */
export async function findKeepingSource(
  op: ControlPlaneOperation,
  before: DeploymentRecord,
): Promise<string | undefined> {
  const newer = await newerOrNewest(op, before.id, before.latest_revision_id);
  const branch = before.source_config?.repo_branch;
  return newer.findLast((revision, place) => isSameSource(revision, newer[place + 1] ?? before, branch))?.id;
}

type Sourced = Pick<RevisionRecord, "source_revision_config">;

/** True if all fields that both sources report are equal. A branch is considered equal to each of its commits. */
function isSameSource(one: Sourced, other: Sourced, branch: string | null | undefined): boolean {
  const [ours, theirs] = [one, other].map((sourced): Record<string, unknown> => ({
    ...sourceOf(sourced),
    tarball: sourced.source_revision_config?.source_tarball_path,
  })) as [Record<string, unknown>, Record<string, unknown>];
  return Object.entries(ours).every(([field, value]) => {
    const refs = [value, theirs[field]];
    if (refs.some((ref) => ref == null) || isSameJson(value, theirs[field])) return true;
    const named = refs.filter((ref) => !isCommit(ref));
    return field === "repoRef" && named.length === 1 && named[0] === (branch ?? named[0]);
  });
}

/** Returns a source without the image that was built from a repository, because each revision has its own image. */
export function sourceOf({ source_revision_config: wire }: Sourced): SourceRevisionConfigInputs {
  const { repoRef, imageUri, ...rest } = fromWireSourceRevisionConfig(wire);
  return repoRef == null ? { ...rest, imageUri } : { ...rest, repoRef };
}

/**
 * Returns the revision that this resource's last change created, if the control plane did not report it. This is the
 * oldest revision since the change that has the source of the change or, if the change did not send a source, the
 * source of the revision before it. If it is unclear which revisions are newer, only the newest one qualifies. Returns
 * `undefined` if there is none, because a revision with a different source does not belong to this resource.
 */
export async function findOwnRevision(
  op: ControlPlaneOperation,
  state: DeploymentState,
  record: DeploymentRecord,
): Promise<string | undefined> {
  const { since, keepsSource } = state.awaitedRevision!;
  const { before, inputs } = merge(state, { record, ownerId: op.resource.ownerId });
  if (keepsSource) {
    const others = { sourceRevisionConfig: undefined };
    if (!isSameJson({ ...inputs, ...others }, { ...before, ...others })) return undefined;
    const { revisions } = op.plane.client;
    const known = since
      ? await revisions.get(record.id, since, op.time.signal).catch(ignoreMissing)
      : undefined;
    const { source_revision_config } = known ?? {};
    return findKeepingSource(op, { ...record, latest_revision_id: since, source_revision_config });
  }
  const newer = await newerOrNewest(op, record.id, since);
  // A server that does not resolve refs never reports a branch as a commit.
  const certainty = { anyBranch: op.plane.dialect.table.resolvesRefs, unreported: true };
  return newer.findLast(({ source_revision_config }) =>
    isBuiltFrom({ ...record, source_revision_config }, before, certainty),
  )?.id;
}

function ignoreMissing(error: unknown): undefined {
  if (!AgentServerError.is(error) || !error.isMissing) throw error;
}

/**
 * Describes a revision that this stack does not know.
 * @param known the newest known revision
 */
export function foreignRevisionText(
  { id, latest_revision_id: latest }: DeploymentRecord,
  known: string | null | undefined,
): string {
  return `Revision ${latest} of deployment ${id} is newer than the last revision that this stack knows (${known || "none"}) and was created outside this stack or by an interrupted update`;
}

/** Returns the error for a change that is rejected because of a foreign revision. */
export function foreignRevision(
  record: DeploymentRecord,
  known: string | null | undefined,
): AgentServerError {
  return new AgentServerError(
    "foreign_revision",
    `${foreignRevisionText(record, known)}; nothing was changed. Review it and run \`pulumi refresh\` to accept it, or set rollout.onConflict to "proceed".`,
    { deploymentId: record.id, revisionId: record.latest_revision_id ?? undefined },
  );
}

/**
 * Reports foreign revisions that were created between the last read and a change, and that the change has replaced. Two
 * concurrent updates may both have read the deployment before either of them changed it.
 * @param found the newest revision at the time of that read
 * @param ours the last revision that the change created
 * @param own all revisions that the change created
 */
export async function reportReplaced(
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
        `Revision ${id} of deployment ${deploymentId} was not created by this update, and revision ${ours} of this update replaced it.`,
      );
}

/**
 * Reports the newest revision if it is a foreign revision that was created during the rollout. The update neither waits
 * for that revision nor reverts it.
 */
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
    `Revision ${newest} of deployment ${record.id} was not created by this update and is newer than its revision ${made ?? ours}. The update does not wait for it.`,
  );
}

/** Reports which revision replaced a revision that was never rolled out. */
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
    `Revision ${revisionId} of deployment ${deploymentId} was superseded by ${by} before it was rolled out. The update does not wait for the newer revision.`,
  );
}
