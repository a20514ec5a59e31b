import { AgentServerError } from "../../errors";
import { formatDuration } from "../duration";
import type { Operation, RolloutProblem } from "../lifecycle/operation";
import type { Written } from "../lifecycle/outcome";
import type { Settlement } from "./settle";

/** Longest tail of a log in an error, in lines. */
const tailLines = 40;

/** The story of a rollout that ended in failure: status, reason, time, the log's tail and what serves now. */
export async function explainFailure(
  op: Operation,
  written: Written,
  settlement: Settlement,
  servingRevisionId: string | undefined,
): Promise<RolloutProblem> {
  const revision = settlement.revision!;
  const reason = revision.status_message ? op.redact(revision.status_message) : "the server gives no reason";
  const headline = `Revision ${revision.id} of deployment "${written.inputs.name}" ended as ${revision.status} after ${formatDuration(settlement.elapsedMs)}: ${reason}`;
  const still = servingRevisionId
    ? `Revision ${servingRevisionId} goes on serving.`
    : "No revision of this deployment serves.";
  return {
    error: new AgentServerError("rollout_failed", headline, {
      deploymentId: written.deploymentId,
      revisionId: revision.id,
      revisionStatus: revision.status,
    }),
    reasons: [
      headline,
      ...(await logTails(op, written.deploymentId, revision.id, revision.status)),
      `${still} Mend the cause and run \`pulumi up\` again: it makes one new revision.`,
    ],
  };
}

/** The story of a rollout that was not finished when the time was up. */
export function explainTimeout(
  op: Operation,
  written: Written,
  revisionId: string,
  settlement: Settlement,
): RolloutProblem {
  const status = settlement.revision?.status;
  const seen = status ? `is still ${status}` : "could not be read";
  const last = settlement.lastError ? ` The last look failed: ${settlement.lastError.message}` : "";
  const headline = `Revision ${revisionId} of deployment "${written.inputs.name}" ${seen} after ${formatDuration(settlement.elapsedMs)}, the limit of rollout.timeout (${formatDuration(op.timeoutMs)} for the whole operation).${last}`;
  return {
    error: new AgentServerError("rollout_timeout", headline, {
      deploymentId: written.deploymentId,
      revisionId,
      revisionStatus: status,
    }),
    reasons: [
      headline,
      "The rollout goes on at the control plane. Run `pulumi up` again to go on waiting for this revision, or raise rollout.timeout.",
    ],
  };
}

/** The story of a deployment that was written but could not be watched to its end. */
export function explainLostSight(written: Written, error: Error): RolloutProblem {
  const headline = `Deployment "${written.inputs.name}" (${written.deploymentId}) was written, but its rollout could not be followed: ${error.message}`;
  return {
    error: AgentServerError.is(error)
      ? error
      : new AgentServerError("internal", headline, {}, { cause: error }),
    reasons: [headline, "Run `pulumi up` again: it looks at what is there and goes on from it."],
  };
}

type LogType = "build" | "deploy";

/** The end of each log that may show the cause: the runtime's only after a build, the build's where it may matter. */
async function logTails(
  op: Operation,
  deploymentId: string,
  revisionId: string,
  status: string,
): Promise<string[]> {
  const types: LogType[] = status === "BUILD_FAILED" ? ["build"] : ["build", "deploy"];
  const tails = await Promise.all(types.map((type) => logTail(op, deploymentId, revisionId, type)));
  if (tails.every((tail) => tail === undefined)) return ["No log available from this server."];
  const told = tails.filter((tail) => tail);
  // Where the runtime has spoken, what built it is beside the point.
  if (status === "DEPLOY_FAILED" && tails[1]) return [tails[1]];
  return told.length > 0 ? (told as string[]) : ["The logs are empty."];
}

/** Empty text for an empty log; nothing where there is none to be had. */
async function logTail(
  op: Operation,
  deploymentId: string,
  revisionId: string,
  type: LogType,
): Promise<string | undefined> {
  const entries = await op.client.tailLogs(deploymentId, revisionId, type, tailLines, op.signal);
  if (!entries) return undefined;
  const lines = entries.flatMap(({ message }) => op.redact(message).split(/\r?\n/)).slice(-tailLines);
  return lines.length > 0
    ? `Last lines of the ${type} log:\n${lines.map((line) => `  ${line}`).join("\n")}`
    : "";
}
