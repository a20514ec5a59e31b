import { AgentServerError } from "../../errors";
import { plainText } from "../../text/plain-text";
import { formatDuration } from "../../text/duration";
import type { RolloutEnd } from "./verify";
import type { ControlPlaneOperation, Problem } from "../../resource/operation";
import { titleOf } from "../inputs/identity";
import type { RolloutRequest } from "./awaited";
import type { Rollback } from "./record";
import { readLog } from "./log-tail";
import { isCloudHost } from "../../control-plane/base-url";
import { isLoopback } from "../../http/proxy";
import type { ControlPlaneAddress } from "../../resource/managed";
import { isPlainWord, shellOperands, shellWord } from "../../text/shell-word";
import { partsOfUrn } from "../../resource/ownership/urn";

/** Explains a failed rollout: the phase, the cause, the time, the actions taken, and the active revision. */
export async function explainFailure(
  op: ControlPlaneOperation,
  written: RolloutRequest,
  end: RolloutEnd,
  servingRevisionId: string | undefined,
  rollback: Rollback | undefined,
): Promise<Problem> {
  const revision = end.revision!;
  const { problem, details = [], replacedBy } = end.verification ?? {};
  const headline = `Revision ${revision.id} of deployment ${titleOf(written.inputs)} ${outcomeText(op, end)}`;
  const log = await readLog(op, written.deploymentId, revision.id, revision.status, problem !== undefined);
  const now = servingRevisionId
    ? `Revision ${servingRevisionId} ${rollback && "revisionId" in rollback ? "is now serving requests" : "is still serving requests"}.`
    : "No revision of this deployment is serving requests.";
  return {
    error: new AgentServerError(problem ? "verification_failed" : "rollout_failed", headline, {
      deploymentId: written.deploymentId,
      revisionId: revision.id,
      revisionStatus: end.status,
    }),
    reasons: [
      headline,
      ...details,
      ...(log.cause && !headline.includes(log.cause) ? [`First error in the log: ${log.cause}`] : []),
      ...(rollback ? [rollbackText(rollback)] : []),
      replacedBy
        ? `Review revision ${replacedBy}, run \`pulumi refresh\` to accept it, and then \`pulumi up\` to create one new revision.`
        : `${now} Fix the cause and run \`pulumi up\` again to create one new revision.`,
      logLinks(op, written, revision.id, end.status === "BUILD_FAILED"),
      ...log.tails,
    ],
  };
}

function outcomeText(
  op: ControlPlaneOperation,
  { revision, status = "", elapsedMs, verification }: RolloutEnd,
): string {
  const after = `after ${formatDuration(elapsedMs)}`;
  if (verification?.problem)
    return `is ${revision!.status}, but ${verification.replacedBy ? "could not be verified" : "failed its verification"} ${after}: ${verification.problem}`;
  const reason = revision!.status_message
    ? plainText(op.report.redact(revision!.status_message))
    : "the control plane reported no reason";
  return `failed${phaseOf(status)} (${status}, ${after}): ${reason}`;
}

function phaseOf(status: string): string {
  if (status.startsWith("BUILD")) return " during the build";
  if (status.startsWith("DEPLOY")) return " while starting the agent";
  return status.startsWith("CREATE") ? " before the build" : "";
}

function rollbackText(rollback: Rollback): string {
  if ("impossible" in rollback) return `Not rolled back: ${rollback.impossible.replace(/\.+$/, "")}.`;
  const { revisionId, status, deployed, fromRevisionId } = rollback;
  const what = `revision ${revisionId} with the source of revision ${fromRevisionId}`;
  return deployed ? `Rolled back: ${what} is DEPLOYED.` : `The rollback failed: ${what} is ${status}.`;
}

/** Explains a rollout that was not finished at the deadline. */
export function explainTimeout(
  op: ControlPlaneOperation,
  written: RolloutRequest,
  revisionId: string,
  end: RolloutEnd,
): Problem {
  const status = end.revision?.status;
  const unserved = end.verification && `is ${status}, but not verified (${end.verification.problem})`;
  const seen = unserved ?? (status ? `is still ${status}` : "could not be read");
  const last = end.lastError ? ` The last request failed: ${end.lastError.message}` : "";
  const headline = `Revision ${revisionId} of deployment ${titleOf(written.inputs)} ${seen} after ${formatDuration(end.elapsedMs)}, the limit of ${op.time.deadline.setBy} (${formatDuration(op.time.deadline.totalMs)} for the whole operation).${last}`;
  return {
    error: new AgentServerError("rollout_timeout", headline, {
      deploymentId: written.deploymentId,
      revisionId,
      revisionStatus: status,
    }),
    reasons: [
      headline,
      `The rollout continues on the control plane. Run \`pulumi up\` again to continue waiting for this revision, or increase ${op.time.deadline.setBy}.`,
      logLinks(op, written, revisionId, false),
    ],
  };
}

/**
 * Explains why the rollout of a changed deployment could not be followed until it finished, or why the deployment could
 * not be read afterward.
 */
export function explainInterruptedWait(
  written: RolloutRequest,
  error: Error,
  end: RolloutEnd | undefined,
): Problem {
  const lost =
    end?.outcome === "deployed"
      ? ` and its revision ${end.revision!.id} is DEPLOYED, but the deployment could not be read afterward`
      : ", but its rollout could not be monitored";
  const headline = `Deployment ${titleOf(written.inputs)} (${written.deploymentId}) was changed${lost}: ${error.message}`;
  return {
    error: AgentServerError.is(error)
      ? error
      : new AgentServerError("internal", headline, {}, { cause: error }),
    reasons: [headline, "Run `pulumi up` again: it reads the current state and continues from there."],
  };
}

/** Explains that a deployment was created, adopted, or changed, but does not have all of its values yet. */
export function explainUnfinished(
  { inputs, deploymentId, action = "created" }: RolloutRequest,
  error: Error,
): Problem {
  const headline = `Deployment ${titleOf(inputs)} (${deploymentId}) was ${action}, but the operation is not finished: ${error.message}`;
  return {
    error: AgentServerError.is(error)
      ? error
      : new AgentServerError("internal", headline, { deploymentId }, { cause: error }),
    reasons: [headline, "Run `pulumi up` again to send what is missing."],
  };
}

/** Returns the web console page of the revision, and the command that shows its full log. */
export function logLinks(
  { plane, resource }: Pick<ControlPlaneOperation, "plane" | "resource">,
  { deploymentId, inputs }: Pick<RolloutRequest, "deploymentId" | "inputs">,
  revisionId: string,
  build: boolean,
): string {
  const named = inputs.name !== undefined && isPlainWord(inputs.name) ? inputs.name : deploymentId;
  const { stack } = partsOfUrn(resource.identity.urn);
  const options = [
    `--revision ${shellWord(revisionId)}`,
    ...(build ? ["--build"] : []),
    ...(isPlainWord(stack) ? [`--stack ${stack}`] : []),
  ];
  const words = named.startsWith("-") ? [...options, shellOperands(named)] : [shellWord(named), ...options];
  const command = `npx agentserver logs ${words.join(" ")}`;
  return `Page: ${pageOf(plane.controlPlane, deploymentId, revisionId)}. Full log: \`${command}\`.`;
}

/** Returns the web console URL of a deployment. */
function pageOf({ baseUrl, tenantId }: ControlPlaneAddress, deploymentId: string, revisionId: string) {
  const { protocol, hostname, host } = new URL(baseUrl);
  const [deployment, revision] = [deploymentId, revisionId].map(encodeURIComponent);
  // The local control plane serves its own web console; every other control plane belongs to an installation
  // with a UI.
  if (isLoopback(hostname)) return `${protocol}//${host}/#/deployments/${deployment}/${revision}`;
  const site = isCloudHost(hostname) ? hostname.replace("api.host.", "smith.") : host;
  const organization = tenantId ? `/o/${encodeURIComponent(tenantId)}` : "";
  return `${protocol}//${site}${organization}/host/deployments/${deployment}`;
}
