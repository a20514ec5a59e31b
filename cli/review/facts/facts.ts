import type { AgentServerCounts } from "../../../provider/agent-server/counts";
import type { ContentsNames } from "../../../provider/agent-server/contents-text";

/** Information about a deployment that only the control plane and the agent server can provide. */
export interface DeploymentFacts {
  /** Existing deployment with the same name as a deployment that will be created. */
  holder?: { id: string; isOwn: boolean };
  /** Number of existing items of each type, or the reason that the number is not known. */
  counts?: AgentServerCounts | { unknown: string };
  /** Names of the items that would be lost. */
  names?: ContentsNames;
  /** Durations of the deployment's past rollouts that reached `DEPLOYED`, in milliseconds. */
  rolloutsMs?: number[];
}

/** Facts about each deployment, keyed by URN, or the reason that no facts are known. */
export type Facts = { known: ReadonlyMap<string, DeploymentFacts> } | { unknown: string };
