/** Rollouts that took about as long as each other, such as those whose build was cached. */
export interface Group {
  /** How many of all there were, between 0 and 1. */
  share: number;
  /** In milliseconds. */
  medianMs: number;
  /** How narrow they lie: the exponent of a log-logistic distribution. */
  shape: number;
}

/** Two lengths of this ratio or more, with nothing between them, are of different groups. */
const gapRatio = 1.6;
/** Spread that is assumed before there is evidence, as a share of the length; and how many lengths it counts for. */
const [priorSpread, priorWeight] = [0.1, 0.25];
/** No history is so regular that the next rollout may be expected to the second. */
const leastSpread = 0.01;

/** The groups that lengths of past rollouts fall into, the shortest first. @param pastMs in milliseconds, longer than nothing */
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
  const spread = Math.max(Math.sqrt(variance), leastSpread);
  // The standard deviation of the logarithm is π / (√3 × shape).
  return { medianMs: Math.exp(mean), shape: Math.PI / (Math.sqrt(3) * spread) };
}
