import { settle, type Settlement } from "./settle";
import { verifyFailed } from "../state";
import { verifyRevision, type Verification } from "./verify";
import type { ControlPlaneOperation } from "../../resource/operation";
import { formatDuration } from "../../resource/duration";
import { isLive } from "../ownership/find-deployment";
import { phasesInWords } from "./phases";
import type { RolloutRequest } from "./awaited";

/** How the rollout of one revision ended, its verification included. */
export interface RolloutEnd extends Settlement {
  /** The status to keep: the server's word, or `VERIFY_FAILED`. */
  status?: string;
  verification?: Verification;
}

/** How a rollout ended: what is DEPLOYED is verified where that is asked for, and a verification that fails fails it. */
export async function verifySettled(
  op: ControlPlaneOperation,
  { deploymentId, inputs, awaited }: RolloutRequest,
  settlement: Settlement,
): Promise<RolloutEnd> {
  const { revision } = settlement;
  const wanted = awaited?.adopted ? undefined : inputs.rollout?.verify;
  if (settlement.outcome !== "deployed" || !revision || !wanted)
    return { ...settlement, status: revision?.status };
  const startedAt = op.time.clock.now();
  const verification = await verifyRevision(op, wanted, deploymentId, revision.id);
  const end = {
    ...settlement,
    elapsedMs: settlement.elapsedMs + op.time.clock.now() - startedAt,
    status: revision.status,
  };
  if (verification.problem && !(await isThere(op, deploymentId))) return { ...end, outcome: "gone" };
  if (verification.timedOut) return { ...end, outcome: "timeout", verification };
  if (verification.problem) return { ...end, outcome: "failed", status: verifyFailed, verification };
  op.report.log("info", `revision ${revision.id} is verified: ${verification.passed.join("; ")}`);
  return { ...end, verification };
}

/**
 * Waits for a revision until the operation's deadline, and logs how long each phase took.
 * @param isFirst whether it is the first rollout of its deployment
 */
export async function settleRevision(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  isFirst = false,
): Promise<Settlement> {
  const isGone = async () => !(await isLive(op, deploymentId));
  const deployments = async () => (await op.plane.deploymentsAtStart()).map(({ id }) => id);
  const settlement = await settle({ ...op, deploymentId, revisionId, isFirst, deployments, isGone });
  const { revision, elapsedMs, phases = [] } = settlement;
  if (revision && phases.length > 0)
    op.report.log(
      "info",
      `${revision.status} after ${formatDuration(elapsedMs)} (${phasesInWords(phases)}), revision ${revision.id}`,
    );
  return settlement;
}

/** Whether a deployment is there; one that cannot be read counts as being there. */
async function isThere(op: ControlPlaneOperation, deploymentId: string): Promise<boolean> {
  try {
    return await isLive(op, deploymentId);
  } catch (error) {
    if (op.time.signal?.aborted) throw error;
    return true;
  }
}
