import type { AgentServerCounts } from "../../../provider/agent-server/counts";
import type { HeldByName } from "../../../provider/agent-server/contents-text";

/** What only the control plane and the agent server know about a deployment. */
export interface DeploymentFacts {
  /** The deployment that has the name which a resource to be created wants. */
  holder?: { id: string; isOwn: boolean };
  /** What is there now, or why that is not known. */
  counts?: AgentServerCounts | { unknown: string };
  /** What is in it by name, where that would be lost. */
  names?: HeldByName;
  /** How long its past rollouts took that ended as DEPLOYED, in milliseconds. */
  rolloutsMs?: number[];
}

/** The facts of each deployment, by its URN, or why there are none. */
export type Facts = { known: ReadonlyMap<string, DeploymentFacts> } | { unknown: string };
