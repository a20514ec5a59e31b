import type { ControlPlaneClient } from "../control-plane/client";
import type { LogType } from "../control-plane/client/revisions";
import { AgentServerError } from "../errors";
import { redactLine, redactor } from "../text/redact";
import type { RevisionLogEntry } from "../../wire";
import { lookUpDeployment } from "./deployments";

/** Which lines are wanted. */
export interface WantedLogs {
  deploymentId: string;
  /** The newest revision where it is left out. */
  revisionId?: string;
  type: LogType;
  /** Most lines, the newest ones. */
  limit: number;
}

/** The end of a log, and of which revision. */
export interface FoundLogs {
  revisionId: string;
  /** The oldest one first. */
  entries: RevisionLogEntry[];
}

/** Most lines of a page. */
const pageSize = 1_000;

/**
 * The newest lines of a revision's log, without each value of a secret that the server reports.
 * @throws AgentServerError `deployment_gone` where there is no such deployment, or none of its revisions
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
  // The absence of a log looks like that of a revision.
  if (revisionId !== undefined) await client.revisions.get(deploymentId, revision);
  const redact = redactor([...secrets, ...(record.secrets ?? []).flatMap(({ value }) => value ?? [])]);
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
