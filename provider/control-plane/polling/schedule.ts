import type { Group } from "./groups";

/*
 * When to look at a rollout. Looks of density ρ(t) find its end after 1/(2ρ) on average, so that lag and looks cost
 *
 *     ∫ f/(2ρ) dt + c ∫ ρS dt
 *
 * where f is the density of the end, S the probability that it is still to come, and c the lag that one look is worth. For
 * each t by itself the least of f/(2ρ) + cρS is at ρ = √(f/(2cS)) = √(h/2c), with the hazard h = f/S: look often where
 * the end is likely now, given that it has not come. By Cauchy and Schwarz no schedule has a smaller looks × lag than
 * ½ (∫ √(fS) dt)², and this one has just that. h comes from past rollouts: a mixture of log-logistic groups, and a share
 * for what was never seen. A past that lies costs no more than knowing nothing: the longest pause bounds the lag of an end
 * that comes early, and once the past has turned out wrong, no pause is longer than the average of those before it,
 * with which looks × lag is that of a fixed interval.
 */

/** The lag that one look is worth, in milliseconds. */
const lookWorthMs = 50;
/** No pause is longer, whatever the past says, in milliseconds. */
const longestMs = 60_000;
/** Shortest pause for a late end that no past rollout had, in milliseconds. */
const leastLateMs = 3_000;
/** How many of the rollouts before are taken to have been like none before them, besides those that failed. */
const unexpectedCount = 0.15;
/** Hazard of a rollout of which nothing is known, in 1/ms: at a service it gives pauses of 10.5 s, after a shorter one. */
const unknownHazard = { floor: 9.1e-7, early: 0.004 };
/** The same on this machine, where a rollout takes seconds or minutes: the longer it has taken, the longer it will. */
const localHazard = { floor: 0, early: 1 };

/** What is known of a rollout. */
export interface Knowledge {
  /** How long rollouts like it have taken; empty where there were none. */
  groups: readonly Group[];
  /** How many rollouts that is of, and how many more failed, at any time. */
  count: number;
  failed: number;
  /** Whether it is on this machine, where a look costs nothing and a rollout is short. */
  isLocal: boolean;
}

/** Where a wait stands. */
export interface Moment {
  /** Since the rollout, or what is known of it, has begun, in milliseconds. */
  elapsedMs: number;
  /** How often it was looked at. */
  looks: number;
}

/** The pause before the next look, in milliseconds. */
export function pauseAfter({ elapsedMs, looks }: Moment, knowledge: Knowledge): number {
  const shortest = knowledge.isLocal ? 250 : 1_000;
  const late = Math.max(leastLateMs, elapsedMs / Math.max(1, looks));
  const longest = Math.min(longestMs, isWrong(elapsedMs, knowledge) ? late : longestMs);
  // Steps are short beside what changes in them: hazards move with the logarithm of time, and with the nearest group.
  let passed = 0;
  for (let looked = 0; passed < longest;) {
    const at = elapsedMs + passed;
    const step = Math.min(Math.max(at / 200, 50), longest - passed, 1_000);
    const density = Math.sqrt(hazard(at + step / 2, knowledge) / (2 * lookWorthMs));
    if (looked + density * step >= 1) return Math.max(shortest, passed + (1 - looked) / density);
    looked += density * step;
    passed += step;
  }
  return Math.max(shortest, longest);
}

/** Whether a rollout has taken longer than the past lets expect: what is left is rather unexpected than late. */
export function isWrong(elapsedMs: number, knowledge: Knowledge): boolean {
  if (knowledge.count === 0) return false;
  const { unexpected, expected } = still(elapsedMs, knowledge);
  return unexpected > expected;
}

/** The probability that the rollout ends now rather than later, for each millisecond. */
function hazard(at: number, knowledge: Knowledge): number {
  const { groups, count, isLocal } = knowledge;
  const nothingKnown = isLocal ? localHazard : unknownHazard;
  const guess = Math.max(nothingKnown.floor, nothingKnown.early / Math.max(at, 1));
  if (count === 0) return guess;
  const { unexpected, expected } = still(at, knowledge);
  const density = groups.reduce((sum, group) => {
    const remaining = survival(at, group);
    return sum + group.share * remaining * (1 - remaining) * (group.shape / Math.max(at, 1));
  }, 0);
  const ending = (1 - shareOf(knowledge)) * density;
  // What is like nothing before has no typical length: half of it ends in the time that has passed already.
  const wild = unexpected / (at + groups.at(-1)!.medianMs);
  return (ending + wild) / (unexpected + expected);
}

/** The probabilities that a rollout of each sort is still going on. */
function still(at: number, knowledge: Knowledge): { unexpected: number; expected: number } {
  const { groups } = knowledge;
  const share = shareOf(knowledge);
  const longest = groups.at(-1)!.medianMs;
  return {
    unexpected: share * (longest / (at + longest)),
    expected: (1 - share) * groups.reduce((sum, group) => sum + group.share * survival(at, group), 0),
  };
}

function shareOf({ count, failed }: Knowledge): number {
  return Math.min(0.5, (failed + unexpectedCount) / (count + failed));
}

function survival(at: number, { medianMs, shape }: Group): number {
  return 1 / (1 + (Math.max(at, 1) / medianMs) ** shape);
}
