import type { Accepted } from "./accepted";

/** A revision that a resource awaits or has awaited. */
export interface Awaited {
  id: string;
  /**
   * True if others created it before the resource adopted the deployment, so the resource does not evaluate it.
   */
  isFound: boolean;
}

/** Final status of an awaited revision. */
export type Ending = "good" | "failed" | "superseded";

/** Expected knowledge of a stack about a resource, based on its commands and their results. */
export interface Kept {
  /** The deployment. */
  id: string;
  accepted: Accepted;
  /** The newest known revision. */
  newest: string;
  /** The revision without a known final status. */
  awaited?: Awaited;
  /** The last revision with a known final status. */
  ended?: Awaited & { how: Ending };
  /** The resource's last good revision, verified if that was required. */
  good?: string;
  /** Its revisions that are DEPLOYED, but failed their verification. */
  unverified: string[];
  /** True if the last step on it failed. */
  incomplete: boolean;
  /** True if the deployment's URL is known. */
  hasUrl: boolean;
}

/** Returns the status of the resource's own last rollout that the stack knows. */
export function standingOf({ awaited, ended }: Pick<Kept, "awaited" | "ended">): Standing {
  if (awaited) return "unsettled";
  return ended?.how === "failed" && !ended.isFound ? "failed" : "deployed";
}

/** Status of a rollout with respect to the need of another revision. */
export type Standing = "unsettled" | "failed" | "deployed";
