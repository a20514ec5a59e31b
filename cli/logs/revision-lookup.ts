import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { DeploymentRecord, RevisionRecord } from "../../provider/control-plane/wire";
import { AgentServerError } from "../../provider/errors";

/** Shortest beginning of an id that stands for the whole. */
const shortestBeginning = 4;

/**
 * The revision of a deployment that is meant: the newest one, or the one whose id is, or begins with, `wanted`.
 * @throws AgentServerError `request_refused` when there is none, or several
 */
export async function findRevision(
  client: ControlPlaneClient,
  { id: deploymentId, name, latest_revision_id }: DeploymentRecord,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<RevisionRecord> {
  const refuse = (problem: string): never => {
    const which = `The deployment "${name ?? deploymentId}"`;
    throw new AgentServerError("request_refused", `${which} ${problem}`, { deploymentId });
  };
  if (!wanted && latest_revision_id) return client.getRevision(deploymentId, latest_revision_id, signal);
  const newest = await client.listRevisions(deploymentId, signal);
  if (!wanted) return newest[0] ?? refuse("has no revision yet.");
  const alike = newest.filter(({ id }) => wanted.length >= shortestBeginning && id.startsWith(wanted));
  if (alike.length > 1) refuse(`has several revisions whose ids begin with "${wanted}".`);
  if (alike[0]) return alike[0];
  try {
    return await client.getRevision(deploymentId, wanted, signal);
  } catch (error) {
    if (!AgentServerError.is(error) || error.code !== "request_refused") throw error;
    return refuse(`has no revision "${wanted}".`);
  }
}
