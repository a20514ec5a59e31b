import { revisionPhase } from "../../control-plane/dialects";
import type { RevisionRecord } from "../../control-plane/wire";
import { AgentServerError } from "../../errors";
import type { LastRollout } from "../plan/plan";
import type { Operation } from "./operation";

/** How the rollout of one revision stands at the server now. */
export async function lastRolloutOnServer(
  op: Operation,
  deploymentId: string,
  revisionId: string | undefined,
): Promise<{ rollout: LastRollout; revision?: RevisionRecord }> {
  if (!revisionId) return { rollout: "unsettled" };
  try {
    const revision = await op.client.getRevision(deploymentId, revisionId, op.signal);
    const phase = revisionPhase(revision.status);
    return { rollout: phase === "progress" ? "unsettled" : phase, revision };
  } catch (error) {
    // A revision can be pruned while its deployment lives on; what it became is then not to be known.
    if (AgentServerError.is(error) && error.facts.status === 404) return { rollout: "failed" };
    throw error;
  }
}
