import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../../wire";
import { AgentServerError } from "../../errors";
import type { DeploymentInputs } from "../inputs/inputs";
import type { LastRollout } from "../state";
import type { ControlPlaneOperation } from "../../resource/operation";
import { reportSuperseded } from "./foreign-revisions";

/** A revision that nobody has verified yet, as `rollout.verify` asks for, is still to be waited for. */
export function unlessUnverified(rollout: LastRollout, inputs: DeploymentInputs): LastRollout {
  return rollout === "deployed" && inputs.rollout?.verify ? "unsettled" : rollout;
}

/** How the rollout of one revision stands at the server now. */
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
    // What replaced it is somebody else's to judge: this one needs nothing more.
    if (phase === "superseded") await reportSuperseded(op, deploymentId, revision.id);
    return { rollout: phase === "failed" ? "failed" : "deployed", revision };
  } catch (error) {
    // A revision can be pruned while its deployment lives on; what it became is then not to be known.
    if (AgentServerError.is(error) && error.isMissing) return { rollout: "failed" };
    throw error;
  }
}
