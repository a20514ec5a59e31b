import type { Props } from "../../provider/resource/inputs/values";
import type { ExpectedDuration } from "./report";

/**
 * Returns the expected duration of the next rollout, based on past rollouts or, if there are none, on the last rollout
 * in state.
 */
export function expectedDuration(
  rolloutsMs: readonly number[] = [],
  outputs: Props | undefined,
): ExpectedDuration {
  if (rolloutsMs.length > 0)
    return { ms: median(rolloutsMs), basis: "past rollouts", rollouts: rolloutsMs.length };
  const last = lastRolloutMs(outputs);
  if (last !== undefined) return { ms: last, basis: "last rollout", rollouts: 1 };
  return { basis: "unknown", rollouts: 0 };
}

/** Returns the milliseconds between two server timestamps, or `undefined` if a timestamp is invalid. */
export function elapsedMs(from: unknown, to: unknown): number | undefined {
  if (typeof from !== "string" || typeof to !== "string") return undefined;
  const elapsed = Date.parse(to) - Date.parse(from);
  return elapsed >= 0 ? elapsed : undefined;
}

function lastRolloutMs(outputs: Props | undefined): number | undefined {
  const settled = outputs?.settledRevision as Props | undefined;
  return settled?.status === "DEPLOYED" ? elapsedMs(settled.createdAt, settled.settledAt) : undefined;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return Math.round(sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2);
}
