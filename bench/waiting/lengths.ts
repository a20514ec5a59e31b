/** Returns the next pseudorandom number between 0 and 1. The sequence of numbers is the same in every run. */
export type Random = () => number;

/** Creates a generator with 32 bits of state (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Distribution of the durations of some of the rollouts, in seconds. */
interface Sort {
  share: number;
  draw(random: Random): number;
  density(at: number): number;
  /** True if the rollouts in this distribution fail. */
  fails?: boolean;
}

/** Distributions of the durations of a deployment's rollouts. */
export interface Lengths {
  name: string;
  sorts: readonly Sort[];
}

/** Returns a log-normal distribution around a median in seconds, with a relative spread. */
function around(median: number, spread: number, share = 1): Sort {
  const sigma = Math.sqrt(Math.log(1 + spread ** 2));
  return {
    share,
    draw: (random) =>
      median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())),
    density: (at) =>
      Math.exp(-(Math.log(at / median) ** 2) / (2 * sigma ** 2)) / (at * sigma * Math.sqrt(2 * Math.PI)),
  };
}

/**
 * Returns a distribution of failed rollouts. Their durations are distributed uniformly up to this number of seconds.
 */
function failures(until: number, share: number): Sort {
  return {
    share,
    draw: (random) => until * random(),
    density: (at) => (at < until ? 1 / until : 0),
    fails: true,
  };
}

/** Returns distributions in which one in twenty rollouts fails. */
const mostly = (name: string, ...sorts: Sort[]): Lengths => ({
  name,
  sorts: [...sorts.map((sort) => ({ ...sort, share: sort.share * 0.95 })), failures(600, 0.05)],
});

/** Distributions whose results the table lists. */
export const regular: readonly Lengths[] = [
  { name: "10 min, deviation 3%", sorts: [around(600, 0.03)] },
  mostly("10 min, deviation 3%, 5% failures", around(600, 0.03)),
  mostly("10 min, deviation 10%, 5% failures", around(600, 0.1)),
  mostly("10 min, deviation 20%, 5% failures", around(600, 0.2)),
  mostly("0.5 or 5 min, 5% failures", around(30, 0.1, 0.5), around(300, 0.1, 0.5)),
];

/** Distribution of the durations of first rollouts: about ten minutes. */
export const first: Lengths = { name: "first rollout, 10 min, deviation 10%", sorts: [around(600, 0.1)] };

/** Draws the duration of a rollout, in milliseconds, and its result. */
export function draw({ sorts }: Lengths, random: Random): { ms: number; fails: boolean } {
  let left = random();
  for (const sort of sorts) {
    left -= sort.share;
    if (left < 0) return { ms: 1_000 * sort.draw(random), fails: sort.fails ?? false };
  }
  const last = sorts.at(-1)!;
  return { ms: 1_000 * last.draw(random), fails: last.fails ?? false };
}

/**
 * Returns the minimum product of polls and lag, in seconds, that any schedule can achieve for these durations. The
 * product is ½ (∫ √(f S) dt)².
 */
export function floorOf({ sorts }: Lengths): number {
  const step = 0.05;
  let [survival, sum] = [1, 0];
  for (let at = step / 2; at < 3_000 && survival > 0; at += step) {
    const density = sorts.reduce((all, sort) => all + sort.share * sort.density(at), 0);
    sum += Math.sqrt(density * Math.max(0, survival - (density * step) / 2)) * step;
    survival -= density * step;
  }
  return sum ** 2 / 2;
}
