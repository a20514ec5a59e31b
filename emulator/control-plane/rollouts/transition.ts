/** Cause of a status change: either the ordinary sequence of a rollout, or manual control, which may set any status. */
export type TransitionCause = "ordinary" | "steered";

const ordinaryStatuses = [
  "CREATING",
  "QUEUED",
  "AWAITING_BUILD",
  "BUILDING",
  "AWAITING_DEPLOY",
  "DEPLOYING",
  "DEPLOYED",
];
const ordinaryFailures = ["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED"];

/** True if a status is a final result, which never changes. */
export function settled(status: string): boolean {
  return status === "DEPLOYED" || status.includes("FAILED");
}

/** True if a rollout with this status is over, because it has finished or was abandoned. */
export function ended(status: string): boolean {
  return settled(status) || status === "SKIPPED" || status === "INTERRUPTED";
}

/**
 * Returns the status after an attempt to change it from `from` to `to`, or `undefined` if the change is invalid.
 *
 * An ordinary rollout only moves forward or fails. It may skip statuses, for example because an image does not need a
 * build. If a rollout is restarted, its status therefore stays the same until the rollout has passed that status again.
 * A manually controlled rollout can change to any status, but never from a final one.
 */
export function transition(from: string, to: string, cause: TransitionCause): string | undefined {
  if (settled(from)) return undefined;
  if (cause === "steered") return to;
  if (ordinaryFailures.includes(to)) return to;
  const place = ordinaryStatuses.indexOf(to);
  if (place < 0) return undefined;
  // A status outside the ordinary sequence was set by rollout control. The rollout returns to the sequence from there.
  return place > ordinaryStatuses.indexOf(from) ? to : undefined;
}
