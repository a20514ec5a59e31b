import type { AgentServerCounts } from "../../provider/agent-server/counts";
import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { DeploymentRecord, RevisionRecord, OwningResource } from "../../wire";
import { urlOf } from "../../provider/deployment/ownership/find-deployment";
import { isTagged, tagOf } from "../../provider/deployment/ownership/tag";
import { AgentServerError } from "../../provider/errors";
import { mapConcurrently } from "../../provider/map-concurrently";

/** Maximum number of deployments that are read concurrently. */
const concurrency = 6;

/** Number of objects in a deployment, or the reason that the number is not known. */
export type Contents = AgentServerCounts | { unknown: string };

/** Overview of a deployment; null means unknown. */
export interface DeploymentOverview {
  name: string | null;
  id: string;
  /** True for the preview deployment of a pull request; otherwise missing. */
  preview?: true;
  /** Status of the deployment itself, such as READY. */
  status: string | null;
  newestRevision: { id: string; status: string; createdAt: string | null } | null;
  /**
   * Revision that serves requests, and the time of its last change, which is usually the time at which it started
   * serving.
   */
  serving: { revisionId: string; since: string | null } | null;
  url: string | null;
  /** True if a Pulumi resource owns the deployment. */
  pulumi: boolean | null;
  /**
   * Resource and stack that own the deployment, and the time at which their ownership started; null if the tag does not
   * contain them.
   */
  holder: (OwningResource & { since: string | null }) | null;
  /** Number of objects in the deployment, if requested. */
  contents?: Contents;
}

/** Options of the overview. */
export interface OverviewOptions {
  /** True to read the revisions of every deployment, even if the list shows that the newest one is active. */
  details?: boolean;
  /** True to include preview deployments of pull requests. */
  previews?: boolean;
  signal: AbortSignal;
}

/** Returns all deployments in the workspace, in the server's order. */
export async function listOverviews(
  client: ControlPlaneClient,
  { details = false, previews = false, signal }: OverviewOptions,
): Promise<DeploymentOverview[]> {
  const records = await client.deployments.list(signal, {}, previews);
  return mapConcurrently(
    records,
    concurrency,
    async (record) =>
      (details ? undefined : overviewFromList(record)) ?? overviewFromRevisions(client, record, signal),
  );
}

/**
 * Returns the overview of a deployment if the list contains all required information, which is the case if the newest
 * revision serves requests, or if there is no revision.
 */
function overviewFromList(record: DeploymentRecord): DeploymentOverview | undefined {
  const { latest_revision_id: newest, active_revision_id: active } = record;
  if (!newest && active === null) return overviewFrom(record, null, null);
  if (!newest || newest !== active) return undefined;
  return overviewFrom(
    record,
    { id: newest, status: "DEPLOYED", createdAt: null },
    { revisionId: newest, since: null },
  );
}

async function overviewFromRevisions(
  client: ControlPlaneClient,
  listed: DeploymentRecord,
  signal: AbortSignal,
): Promise<DeploymentOverview> {
  const revisions = await revisionsOf(client, listed, signal);
  const record = await refreshRecord(revisions, client, listed, signal);
  const newest = revisions.find(({ id }) => id === record.latest_revision_id) ?? revisions[0];
  return overviewFrom(
    record,
    newest ? { id: newest.id, status: newest.status, createdAt: newest.created_at ?? null } : null,
    await servingOf(client, record, revisions, signal),
  );
}

function overviewFrom(
  record: DeploymentRecord,
  newestRevision: DeploymentOverview["newestRevision"],
  serving: DeploymentOverview["serving"],
): DeploymentOverview {
  return {
    name: record.name ?? null,
    id: record.id,
    ...(record.is_preview && { preview: true }),
    status: record.status ?? null,
    newestRevision,
    serving,
    url: urlOf(record) ?? null,
    pulumi: isTagged(record) ?? null,
    holder: holderOf(record),
  };
}

function holderOf(record: DeploymentRecord): DeploymentOverview["holder"] {
  const { holder, since = null } = tagOf(record) ?? {};
  return holder ? { ...holder, since } : null;
}

/** Rereads the record if a rollout finished after the list was read. */
async function refreshRecord(
  revisions: RevisionRecord[],
  client: ControlPlaneClient,
  listed: DeploymentRecord,
  signal: AbortSignal,
): Promise<DeploymentRecord> {
  const { active_revision_id: active } = listed;
  const [newest] = revisions;
  const isOlder = active !== undefined && newest?.status === "DEPLOYED" && newest.id !== active;
  return (isOlder && (await client.deployments.find(listed.id, signal))) || listed;
}

async function servingOf(
  client: ControlPlaneClient,
  record: DeploymentRecord,
  revisions: RevisionRecord[],
  signal: AbortSignal,
): Promise<DeploymentOverview["serving"]> {
  const { active_revision_id: active } = record;
  // If the server does not report the serving revision, it is assumed to be the last one that was deployed.
  if (active === undefined) return servedBy(revisions.find(({ status }) => status === "DEPLOYED"));
  if (active === null) return null;
  const listed = revisions.find(({ id }) => id === active);
  const revision = listed ?? (await ignoreMissing(client.revisions.get(record.id, active, signal)));
  return servedBy(revision) ?? { revisionId: active, since: null };
}

function servedBy(revision: RevisionRecord | undefined): DeploymentOverview["serving"] {
  if (!revision) return null;
  return { revisionId: revision.id, since: revision.updated_at ?? revision.created_at ?? null };
}

/** Returns the newest revisions of a deployment; empty if the deployment was deleted after it was listed. */
async function revisionsOf(client: ControlPlaneClient, { id }: DeploymentRecord, signal: AbortSignal) {
  return (await ignoreMissing(client.revisions.list(id, signal))) ?? [];
}

async function ignoreMissing<Response>(request: Promise<Response>): Promise<Response | undefined> {
  try {
    return await request;
  } catch (error) {
    if (AgentServerError.is(error) && error.isMissing) return undefined;
    throw error;
  }
}
