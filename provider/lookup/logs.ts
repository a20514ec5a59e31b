import type { ControlPlaneClient } from "../control-plane/client";
import type { LogType } from "../control-plane/client/revisions";
import { secretsIn } from "../deployment/rollout/redaction";
import { AgentServerError } from "../errors";
import { redactLine, redactor } from "../text/redact";
import type { RevisionLogEntry } from "../../wire";
import { lookUpDeployment } from "./deployments";

/** Selection of log lines. */
export interface WantedLogs {
  deploymentId: string;
  /** ID of the revision; by default, the newest revision. */
  revisionId?: string;
  type: LogType;
  /** Maximum number of lines, counted from the end. */
  limit: number;
}

/** The last lines of a log, with the revision that they belong to. */
export interface FoundLogs {
  revisionId: string;
  /** Lines of the log, oldest first. */
  entries: RevisionLogEntry[];
}

/** Maximum number of lines per page. */
const pageSize = 1_000;

/**
 * Returns the newest lines of a revision's log, with the secret values that the server reports redacted.
 * @throws AgentServerError `deployment_gone` if the deployment does not exist or has no revision
 */
export async function lookUpLogs(
  client: ControlPlaneClient,
  { deploymentId, revisionId, type, limit }: WantedLogs,
  secrets: readonly string[],
): Promise<FoundLogs> {
  const record = await lookUpDeployment(client, { id: deploymentId });
  const revision = revisionId ?? record.latest_revision_id ?? undefined;
  if (revision === undefined)
    throw new AgentServerError("deployment_gone", `Deployment ${deploymentId} has no revision yet.`, {
      deploymentId,
    });
  // A missing log causes the same response as a missing revision.
  if (revisionId !== undefined) await client.revisions.get(deploymentId, revision);
  const redact = redactor([...secrets, ...secretsIn(record)]);
  const entries = await newestEntries(client, deploymentId, revision, type, limit);
  return {
    revisionId: revision,
    entries: entries.map((entry) => ({ ...entry, message: redactLine(entry.message, redact) })),
  };
}

async function newestEntries(
  client: ControlPlaneClient,
  deploymentId: string,
  revisionId: string,
  type: LogType,
  limit: number,
): Promise<RevisionLogEntry[]> {
  const found: RevisionLogEntry[] = [];
  for (let offset: string | undefined; found.length < limit;) {
    const query = { type, order: "desc" as const, limit: Math.min(pageSize, limit - found.length), offset };
    const page = await client.revisions.findLogs(deploymentId, revisionId, query);
    if (!page)
      throw new AgentServerError(
        "request_refused",
        `This server keeps no logs: it does not serve GET …/revisions/{revision_id}/logs.`,
        { deploymentId, revisionId },
      );
    found.push(...page.logs);
    const next = page.next_offset ?? undefined;
    if (next === undefined || next === offset || page.logs.length === 0) break;
    offset = next;
  }
  return found.slice(0, limit).reverse();
}
