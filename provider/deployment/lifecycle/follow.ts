import { settle, type Settlement } from "../rollout/settle";
import { verifyFailed } from "../state";
import { verifyRevision, type Verification } from "../verification/verify";
import type { Operation } from "./operation";
import { isLive } from "./presence";
import type { Written } from "./written";

/** How the rollout of one revision ended, its verification included. */
export interface RolloutEnd extends Settlement {
  /** The status to keep: the server's word, or `VERIFY_FAILED`. */
  status?: string;
  verification?: Verification;
}

/** Waits for a revision and, where that is asked for, verifies it: what fails there is a failed rollout. */
export async function followRollout(
  op: Operation,
  { deploymentId, inputs, awaited }: Written,
  revisionId: string,
): Promise<RolloutEnd> {
  const { clock } = op;
  const startedAt = clock.now();
  const end = await settleRevision(op, deploymentId, revisionId);
  const wanted = awaited?.adopted ? undefined : inputs.rollout?.verify;
  if (end.outcome !== "deployed" || !wanted) return { ...end, status: end.revision?.status };
  const verification = await verifyRevision(op, wanted, deploymentId, revisionId);
  const elapsedMs = clock.now() - startedAt;
  if (verification.problem && !(await isThere(op, deploymentId)))
    return { ...end, outcome: "gone", elapsedMs, status: end.revision?.status };
  if (verification.timedOut) return { ...end, outcome: "timeout", elapsedMs, verification };
  if (verification.problem)
    return { ...end, outcome: "failed", elapsedMs, status: verifyFailed, verification };
  op.log("info", `revision ${revisionId} is verified: ${verification.passed.join("; ")}`);
  return { ...end, elapsedMs, status: end.revision?.status, verification };
}

/** Waits for a revision until the operation's deadline. */
export function settleRevision(op: Operation, deploymentId: string, revisionId: string): Promise<Settlement> {
  const isGone = async () => !(await isLive(op, deploymentId));
  return settle({ ...op, deploymentId, revisionId, isGone });
}

/** Whether a deployment is there; one that cannot be read counts as being there. */
async function isThere(op: Operation, deploymentId: string): Promise<boolean> {
  try {
    return await isLive(op, deploymentId);
  } catch (error) {
    if (op.signal?.aborted) throw error;
    return true;
  }
}
