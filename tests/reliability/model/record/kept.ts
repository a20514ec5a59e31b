import type { Accepted } from "./accepted";

/** A revision that a resource waits for, or has waited for. */
export interface Awaited {
  id: string;
  /** Somebody else made it before the resource adopted the deployment: it is not the resource's to judge. */
  isFound: boolean;
}

/** How a revision ended that a resource has waited for. */
export type Ending = "good" | "failed" | "superseded";

/** What a stack must know of a resource by now, from what it was asked for and from what has become of that. */
export interface Kept {
  /** The deployment. */
  id: string;
  accepted: Accepted;
  /** The newest revision that it has seen. */
  newest: string;
  /** The revision that it has not seen the end of. */
  awaited?: Awaited;
  /** The revision that it saw the end of last. */
  ended?: Awaited & { how: Ending };
  /** The last revision of its own that was good, and passed the verification that was asked for. */
  good?: string;
  /** Its revisions that are DEPLOYED, but did not pass their verification. */
  unverified: string[];
  /** Whether the last step on it failed. */
  incomplete: boolean;
  /** Whether the deployment's URL is known. */
  hasUrl: boolean;
}

/** How the resource's own last rollout stands, as far as the stack knows. */
export function standingOf({ awaited, ended }: Pick<Kept, "awaited" | "ended">): Standing {
  if (awaited) return "unsettled";
  return ended?.how === "failed" && !ended.isFound ? "failed" : "deployed";
}

/** How a rollout stands for whoever has to decide whether another revision is needed. */
export type Standing = "unsettled" | "failed" | "deployed";
