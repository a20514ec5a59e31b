import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { DeploymentRecord, RevisionRecord } from "../../provider/control-plane/wire";
import { urlOf } from "../../provider/deployment/lifecycle/address";
import { ownerOf } from "../../provider/deployment/ownership-tag";
import { AgentServerError } from "../../provider/errors";

/** Deployments that are asked about at the same time. */
const atOnce = 6;

/** One deployment of the workspace; null is what the server does not tell. */
export interface DeploymentOverview {
  name: string | null;
  id: string;
  /** The deployment's own status, such as READY. */
  status: string | null;
  newestRevision: { id: string; status: string; createdAt: string | null } | null;
  /** The revision that answers requests, and when it last changed: as a rule, when it began to. */
  serving: { revisionId: string; since: string | null } | null;
  url: string | null;
  /** Whether a Pulumi resource has put its mark on it. */
  pulumi: boolean | null;
}

/** All deployments of the workspace, in the server's order. */
export async function overviewOf(
  client: ControlPlaneClient,
  signal: AbortSignal,
): Promise<DeploymentOverview[]> {
  const records = await client.listDeployments(signal);
  const overviews: DeploymentOverview[] = [];
  for (let start = 0; start < records.length; start += atOnce) {
    const some = records.slice(start, start + atOnce);
    overviews.push(...(await Promise.all(some.map((record) => overview(client, record, signal)))));
  }
  return overviews;
}

async function overview(
  client: ControlPlaneClient,
  listed: DeploymentRecord,
  signal: AbortSignal,
): Promise<DeploymentOverview> {
  const revisions = await revisionsOf(client, listed, signal);
  const record = await asOf(revisions, client, listed, signal);
  const newest = revisions.find(({ id }) => id === record.latest_revision_id) ?? revisions[0];
  return {
    name: record.name ?? null,
    id: record.id,
    status: record.status ?? null,
    newestRevision: newest
      ? { id: newest.id, status: newest.status, createdAt: newest.created_at ?? null }
      : null,
    serving: await servingOf(client, record, revisions, signal),
    url: urlOf(record) ?? null,
    pulumi: record.secrets ? ownerOf(record) !== undefined : null,
  };
}

/** The record, read again where a rollout came to its end after the list was read. */
async function asOf(
  revisions: RevisionRecord[],
  client: ControlPlaneClient,
  listed: DeploymentRecord,
  signal: AbortSignal,
): Promise<DeploymentRecord> {
  const { active_revision_id: active } = listed;
  const [newest] = revisions;
  const isOlder = active !== undefined && newest?.status === "DEPLOYED" && newest.id !== active;
  return (isOlder && (await client.findDeployment(listed.id, signal))) || listed;
}

async function servingOf(
  client: ControlPlaneClient,
  record: DeploymentRecord,
  revisions: RevisionRecord[],
  signal: AbortSignal,
): Promise<DeploymentOverview["serving"]> {
  const { active_revision_id: active } = record;
  // A server that does not tell is taken to switch to whatever was deployed last.
  if (active === undefined) return servedBy(revisions.find(({ status }) => status === "DEPLOYED"));
  if (active === null) return null;
  const listed = revisions.find(({ id }) => id === active);
  const revision = listed ?? (await orAbsent(client.getRevision(record.id, active, signal)));
  return servedBy(revision) ?? { revisionId: active, since: null };
}

function servedBy(revision: RevisionRecord | undefined): DeploymentOverview["serving"] {
  if (!revision) return null;
  return { revisionId: revision.id, since: revision.updated_at ?? revision.created_at ?? null };
}

/** The newest revisions; none of a deployment that was deleted since it was listed. */
async function revisionsOf(client: ControlPlaneClient, { id }: DeploymentRecord, signal: AbortSignal) {
  return (await orAbsent(client.listRevisions(id, signal))) ?? [];
}

async function orAbsent<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (AgentServerError.is(error) && error.facts.status === 404) return undefined;
    throw error;
  }
}
