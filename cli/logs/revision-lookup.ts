import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { DeploymentRecord, RevisionRecord } from "../../wire";
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
  if (!wanted && latest_revision_id) return client.revisions.get(deploymentId, latest_revision_id, signal);
  if (!wanted)
    return (await client.revisions.list(deploymentId, signal))[0] ?? refuse("has no revision yet.");
  const alike =
    wanted.length < shortestBeginning ? [] : await beginningWith(client, deploymentId, wanted, signal);
  if (alike.length > 1) refuse(`has several revisions whose ids begin with "${wanted}".`);
  if (alike[0]) return alike[0];
  try {
    return await client.revisions.get(deploymentId, wanted, signal);
  } catch (error) {
    if (!AgentServerError.is(error) || error.code !== "request_refused") throw error;
    return refuse(`has no revision "${wanted}".`);
  }
}

/** The revisions whose ids begin so, over all pages; the one with just that id alone. */
async function beginningWith(
  client: ControlPlaneClient,
  deploymentId: string,
  wanted: string,
  signal: AbortSignal,
): Promise<RevisionRecord[]> {
  const alike: RevisionRecord[] = [];
  for await (const page of client.revisions.pages(deploymentId, signal)) {
    const exact = page.find(({ id }) => id === wanted);
    if (exact) return [exact];
    alike.push(...page.filter(({ id }) => id.startsWith(wanted)));
  }
  return alike;
}
