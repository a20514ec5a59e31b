import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import type { LastRollout } from "../state";
import type { ControlPlaneOperation } from "../../resource/operation";
import { reportSuperseded } from "./foreign-revisions";

/**
 * Returns the result of the rollout of an unverified revision: `"unsettled"` instead of `"deployed"` if
 * `rollout.verify` requires a verification.
 */
export function unlessUnverified(rollout: LastRollout, inputs: DeploymentInputs): LastRollout {
  return rollout === "deployed" && inputs.rollout?.verify ? "unsettled" : rollout;
}

/** Returns the current status of the rollout of one revision on the server. */
export async function lastRolloutOnServer(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string | undefined,
): Promise<{ rollout: LastRollout; revision?: RevisionRecord }> {
  if (!revisionId) return { rollout: "none" };
  try {
    const revision = await op.plane.client.revisions.get(deploymentId, revisionId, op.time.signal);
    const phase = revisionPhase(revision.status, op.plane.dialect);
    if (phase === "progress") return { rollout: "unsettled", revision };
    // Another client created the revision that replaced this one, so no further action is required.
    if (phase === "superseded") await reportSuperseded(op, deploymentId, revision.id);
    return { rollout: phase === "failed" ? "failed" : "deployed", revision };
  } catch (error) {
    // A revision can be pruned before its deployment is deleted, in which case its result is unknown.
    if (AgentServerError.is(error) && error.isMissing) return { rollout: "failed" };
    throw error;
  }
}
