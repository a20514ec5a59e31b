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
      ...(await logTails(op, written.deploymentId, revision.id)),
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

/** The end of the build's log and of the runtime's, as far as there are any. */
async function logTails(op: Operation, deploymentId: string, revisionId: string): Promise<string[]> {
  const tails = await Promise.all([
    logTail(op, deploymentId, revisionId, "build"),
    logTail(op, deploymentId, revisionId, "deploy"),
  ]);
  if (tails.every((tail) => tail === undefined)) return ["No log available from this server."];
  const told = tails.filter((tail) => tail !== undefined && tail !== "") as string[];
  return told.length > 0 ? told : ["The logs are empty."];
}

/** Empty text for an empty log; nothing where there is none to be had. */
async function logTail(
  op: Operation,
  deploymentId: string,
  revisionId: string,
  type: "build" | "deploy",
): Promise<string | undefined> {
  // By now the deployment must reach the state, whatever happens to its log.
  const entries = await op.client
    .tailLogs(deploymentId, revisionId, type, tailLines, op.signal)
    .catch(() => undefined);
  if (!entries) return undefined;
  const lines = entries.flatMap(({ message }) => op.redact(message).split(/\r?\n/)).slice(-tailLines);
  return lines.length > 0
    ? `Last lines of the ${type} log:\n${lines.map((line) => `  ${line}`).join("\n")}`
    : "";
}
