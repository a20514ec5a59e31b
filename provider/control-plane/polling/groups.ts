/** Rollouts with similar durations, for example those with a cached build. */
export interface Group {
  /** Fraction of all rollouts, between 0 and 1. */
  share: number;
  /** Median duration of the group's rollouts, in milliseconds. */
  medianMs: number;
  /** Shape parameter of a log-logistic distribution; larger if the durations are more similar. */
  shape: number;
}

/** Minimum ratio of two adjacent durations that belong to different groups. */
const gapRatio = 1.6;
/**
 * Assumed relative spread of durations if there is no evidence, and the weight of this assumption, as a number of
 * durations.
 */
const [priorSpread, priorWeight] = [0.1, 0.25];
/** Minimum spread: no history is regular enough to predict the next rollout to the second. */
const minSpread = 0.01;

/**
 * Groups the durations of past rollouts, shortest group first.
 * @param pastMs in milliseconds, all greater than 0
 */
export function groupsOf(pastMs: readonly number[]): Group[] {
  const lengths = [...pastMs].sort((one, other) => one - other);
  const groups: number[][] = [];
  for (const ms of lengths) {
    const last = groups.at(-1);
    if (last && ms < last.at(-1)! * gapRatio) last.push(ms);
    else groups.push([ms]);
  }
  return groups.map((group) => ({ share: group.length / lengths.length, ...shapeOf(group.map(Math.log)) }));
}

function shapeOf(logarithms: readonly number[]): Pick<Group, "medianMs" | "shape"> {
  const count = logarithms.length;
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / count;
  const squares = logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const variance = (squares + priorWeight * priorSpread ** 2) / (count - 1 + priorWeight);
  const spread = Math.max(Math.sqrt(variance), minSpread);
  // The standard deviation of the logarithm is π / (√3 × shape).
  return { medianMs: Math.exp(mean), shape: Math.PI / (Math.sqrt(3) * spread) };
}
