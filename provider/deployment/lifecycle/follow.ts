import { settle, type Settlement } from "../rollout/settle";
import { verifyRevision, type Verification } from "../verification/verify";
import type { Operation } from "./operation";
import type { Written } from "./written";

/** Status, in state, of a revision that is DEPLOYED and is not what `rollout.verify` asks for. */
export const verifyFailed = "VERIFY_FAILED";

/** How the rollout of one revision ended, its verification included. */
export interface RolloutEnd extends Settlement {
  /** The status to keep: the server's word, or `VERIFY_FAILED`. */
  status?: string;
  verification?: Verification;
}

/** Waits for a revision and, where that is asked for, verifies it: what fails there is a failed rollout. */
export async function followRollout(
  op: Operation,
  { deploymentId, inputs, isOwn }: Written,
  revisionId: string,
): Promise<RolloutEnd> {
  const { client, clock, dialect, status, signal } = op;
  const startedAt = clock.now();
  const timeoutMs = Math.max(0, op.deadline - startedAt);
  const end = await settle({ client, clock, dialect, status, signal, deploymentId, revisionId, timeoutMs });
  const wanted = isOwn ? inputs.rollout?.verify : undefined;
  if (end.outcome !== "deployed" || !wanted) return { ...end, status: end.revision?.status };
  const verification = await verifyRevision(op, wanted, deploymentId, revisionId);
  const elapsedMs = clock.now() - startedAt;
  if (verification.timedOut) return { ...end, outcome: "timeout", elapsedMs, verification };
  if (verification.problem)
    return { ...end, outcome: "failed", elapsedMs, status: verifyFailed, verification };
  op.log("info", `revision ${revisionId} is verified: ${verification.passed.join("; ")}`);
  return { ...end, elapsedMs, status: end.revision?.status, verification };
}
