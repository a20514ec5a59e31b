import type { Accepted } from "./accepted";

/** A revision that a resource is waiting for or has waited for. */
export interface Awaited {
  id: string;
  /**
   * True if another actor created the revision before the resource adopted the deployment. The resource does not
   * evaluate such a revision.
   */
  isFound: boolean;
}

/** Final status of a revision that the resource has waited for. */
export type Ending = "good" | "failed" | "superseded";

/** Facts that a stack is expected to know about a resource, based on its commands and their results. */
export interface Kept {
  /** ID of the deployment. */
  id: string;
  accepted: Accepted;
  /** ID of the newest known revision. */
  newest: string;
  /** Revision whose final status is not known yet. */
  awaited?: Awaited;
  /** Last revision whose final status is known. */
  ended?: Awaited & { how: Ending };
  /** ID of the resource's last good revision, verified if verification was required. */
  good?: string;
  /** IDs of the resource's revisions that are DEPLOYED but failed their verification. */
  unverified: string[];
  /** True if the last step on the resource failed. */
  incomplete: boolean;
  /** True if the deployment's URL is known. */
  hasUrl: boolean;
}

/** Returns the status of the resource's own last rollout, as known to the stack. */
export function standingOf({ awaited, ended }: Pick<Kept, "awaited" | "ended">): Standing {
  if (awaited) return "unsettled";
  return ended?.how === "failed" && !ended.isFound ? "failed" : "deployed";
}

/** Status of a rollout, classified by whether another revision is necessary. */
export type Standing = "unsettled" | "failed" | "deployed";
