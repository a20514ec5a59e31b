import type { ControlPlaneClient } from "../../provider/control-plane/client";
import type { DeploymentRecord, RevisionRecord } from "../../wire";
import { AgentServerError } from "../../provider/errors";

/** Minimum length of an ID prefix that identifies a revision. */
const minPrefixLength = 4;

/**
 * Returns the newest revision, or the revision whose ID is or starts with `idOrPrefix`.
 * @throws AgentServerError `request_refused` if no revision matches, or if several match
 */
export async function findRevision(
  client: ControlPlaneClient,
  { id: deploymentId, name, latest_revision_id }: DeploymentRecord,
  idOrPrefix: string | undefined,
  signal: AbortSignal,
): Promise<RevisionRecord> {
  const fail = (problem: string): never => {
    const subject = `The deployment "${name ?? deploymentId}"`;
    throw new AgentServerError("request_refused", `${subject} ${problem}`, { deploymentId });
  };
  if (!idOrPrefix && latest_revision_id)
    return client.revisions.get(deploymentId, latest_revision_id, signal);
  if (!idOrPrefix)
    return (await client.revisions.list(deploymentId, signal))[0] ?? fail("has no revision yet.");
  const matches =
    idOrPrefix.length < minPrefixLength ? [] : await findByPrefix(client, deploymentId, idOrPrefix, signal);
  if (matches.length > 1) fail(`has several revisions whose IDs start with "${idOrPrefix}".`);
  if (matches[0]) return matches[0];
  try {
    return await client.revisions.get(deploymentId, idOrPrefix, signal);
  } catch (error) {
    if (!AgentServerError.is(error) || error.code !== "request_refused") throw error;
    return fail(`has no revision "${idOrPrefix}".`);
  }
}

/**
 * Returns the revisions, on any page, whose IDs start with the prefix. If one ID matches exactly, returns only that
 * revision.
 */
async function findByPrefix(
  client: ControlPlaneClient,
  deploymentId: string,
  idOrPrefix: string,
  signal: AbortSignal,
): Promise<RevisionRecord[]> {
  const matches: RevisionRecord[] = [];
  for await (const page of client.revisions.pages(deploymentId, signal)) {
    const exact = page.find(({ id }) => id === idOrPrefix);
    if (exact) return [exact];
    matches.push(...page.filter(({ id }) => id.startsWith(idOrPrefix)));
  }
  return matches;
}
