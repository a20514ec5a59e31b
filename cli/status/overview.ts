import type { AgentServerCounts } from "../../provider/agent-server/counts";
import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { DeploymentRecord, RevisionRecord } from "../../wire";
import { urlOf } from "../../provider/deployment/ownership/find-deployment";
import { isTagged, tagOf, type Holder } from "../../provider/deployment/ownership/tag";
import { AgentServerError } from "../../provider/errors";

/** Deployments that are asked about at the same time. */
const atOnce = 6;

/** What is in a deployment, or why that is not known. */
export type Contents = AgentServerCounts | { unknown: string };

/** One deployment of the workspace; null is what is not known. */
export interface DeploymentOverview {
  name: string | null;
  id: string;
  /** There where it is the build of a pull request. */
  preview?: true;
  /** The deployment's own status, such as READY. */
  status: string | null;
  newestRevision: { id: string; status: string; createdAt: string | null } | null;
  /** The revision that answers requests, and when it last changed: as a rule, when it began to. */
  serving: { revisionId: string; since: string | null } | null;
  url: string | null;
  /** Whether a Pulumi resource has tagged it as its own. */
  pulumi: boolean | null;
  /** That resource and its stack, and since when it has held the deployment; null where the tag does not say. */
  holder: (Holder & { since: string | null }) | null;
  /** What is in it, where that was asked for. */
  contents?: Contents;
}

/** How much is asked. */
export interface OverviewOptions {
  /** Asks for the revisions of every deployment, also where the list shows that the newest one serves. */
  details?: boolean;
  /** Shows builds of pull requests, too. */
  previews?: boolean;
  signal: AbortSignal;
}

/** All deployments of the workspace, in the server's order. */
export async function overviewOf(
  client: ControlPlaneClient,
  { details = false, previews = false, signal }: OverviewOptions,
): Promise<DeploymentOverview[]> {
  const records = await client.deployments.list(signal, {}, previews);
  const overviews = records.map((record) => (details ? undefined : listedOverview(record)));
  const waiting = [...records.keys()].filter((place) => overviews[place] === undefined);
  const ask = async () => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      overviews[place] = await askedOverview(client, records[place]!, signal);
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return overviews.filter((overview) => overview !== undefined);
}

/** What the list alone shows of a deployment; nothing where its newest revision is not the one that serves. */
function listedOverview(record: DeploymentRecord): DeploymentOverview | undefined {
  const { latest_revision_id: newest, active_revision_id: active } = record;
  if (!newest && active === null) return overviewFrom(record, null, null);
  if (!newest || newest !== active) return undefined;
  return overviewFrom(
    record,
    { id: newest, status: "DEPLOYED", createdAt: null },
    { revisionId: newest, since: null },
  );
}

async function askedOverview(
  client: ControlPlaneClient,
  listed: DeploymentRecord,
  signal: AbortSignal,
): Promise<DeploymentOverview> {
  const revisions = await revisionsOf(client, listed, signal);
  const record = await asOf(revisions, client, listed, signal);
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
  return (isOlder && (await client.deployments.find(listed.id, signal))) || listed;
}

async function servingOf(
  client: ControlPlaneClient,
  record: DeploymentRecord,
  revisions: RevisionRecord[],
  signal: AbortSignal,
): Promise<DeploymentOverview["serving"]> {
  const { active_revision_id: active } = record;
  // A server that does not report is taken to switch to whatever was deployed last.
  if (active === undefined) return servedBy(revisions.find(({ status }) => status === "DEPLOYED"));
  if (active === null) return null;
  const listed = revisions.find(({ id }) => id === active);
  const revision = listed ?? (await orAbsent(client.revisions.get(record.id, active, signal)));
  return servedBy(revision) ?? { revisionId: active, since: null };
}

function servedBy(revision: RevisionRecord | undefined): DeploymentOverview["serving"] {
  if (!revision) return null;
  return { revisionId: revision.id, since: revision.updated_at ?? revision.created_at ?? null };
}

/** The newest revisions; none of a deployment that was deleted since it was listed. */
async function revisionsOf(client: ControlPlaneClient, { id }: DeploymentRecord, signal: AbortSignal) {
  return (await orAbsent(client.revisions.list(id, signal))) ?? [];
}

async function orAbsent<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request;
  } catch (error) {
    if (AgentServerError.is(error) && error.isMissing) return undefined;
    throw error;
  }
}
