import type { AgentServerCounts } from "../../../provider/agent-server/counts";
import type { HeldByName } from "../../../provider/agent-server/contents-text";

/** Facts about a deployment that only the control plane and the agent server know. */
export interface DeploymentFacts {
  /** The deployment that has the name which a resource to be created wants. */
  holder?: { id: string; isOwn: boolean };
  /** Numbers of existing items, or the reason why they are unknown. */
  counts?: AgentServerCounts | { unknown: string };
  /** Names of the items that would be lost. */
  names?: HeldByName;
  /** Durations of its past rollouts that ended as DEPLOYED, in milliseconds. */
  rolloutsMs?: number[];
}

/** The facts of each deployment, by its URN, or why there are none. */
export type Facts = { known: ReadonlyMap<string, DeploymentFacts> } | { unknown: string };
