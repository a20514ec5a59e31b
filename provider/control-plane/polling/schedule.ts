import type { Group } from "./groups";

/*
 * Decides when to poll a rollout. Polls of density ρ(t) detect its end after 1/(2ρ) on average, so that delay and polls
 * cost
 *
 *     ∫ f/(2ρ) dt + c ∫ ρS dt
 *
 * where f is the density of the end, S the probability that the rollout is still in progress, and c the delay that is
 * worth one poll. For each t, the minimum of f/(2ρ) + cρS is at ρ = √(f/(2cS)) = √(h/2c), with the hazard h = f/S: poll
 * often when the end is likely now, given that it has not happened. By Cauchy and Schwarz, no schedule has a smaller
 * polls × delay than ½ (∫ √(fS) dt)², and this one attains it. h comes from past rollouts: a mixture of log-logistic
 * groups, and a share for unexpected durations. A misleading history costs no more than none: the maximum pause limits
 * the delay of an early end, and once the history has proven wrong, no pause is longer than the average of the previous
 * ones, so that polls × delay is that of a fixed interval.
 */

/** Delay, in milliseconds, that is acceptable in exchange for one fewer poll. */
const pollWorthMs = 50;
/** Maximum pause, regardless of past rollouts, in milliseconds. */
const maxPauseMs = 60_000;
/** Minimum pause while a rollout takes longer than all past rollouts, in milliseconds. */
const minLatePauseMs = 3_000;
/** Assumed number of past rollouts that were unlike all previous ones, in addition to failed rollouts. */
const unexpectedCount = 0.15;
/**
 * Hazard rate of a rollout without history, in 1/ms. For a remote service, it results in pauses of 10.5 s after a
 * shorter first pause.
 */
const unknownHazard = { floor: 9.1e-7, early: 0.004 };
/**
 * Hazard rate on this machine, where a rollout takes seconds or minutes, so the expected remaining time grows with the
 * elapsed time.
 */
const localHazard = { floor: 0, early: 1 };

/** Information used to predict the end of a rollout. */
export interface Knowledge {
  /** Groups of the durations of comparable rollouts; empty if there were none. */
  groups: readonly Group[];
  /** Number of rollouts in the groups. */
  count: number;
  /** Number of rollouts that failed. They are not included in `count`. */
  failed: number;
  /** True if the rollout is on this machine, where polls are cheap and rollouts are short. */
  isLocal: boolean;
}

/** Progress of a wait. */
export interface WaitProgress {
  /** Time since the start of the rollout, or of its observed part, in milliseconds. */
  elapsedMs: number;
  /** Number of polls so far. */
  polls: number;
}

/** Returns the pause before the next poll, in milliseconds. */
export function pauseAfter({ elapsedMs, polls }: WaitProgress, knowledge: Knowledge): number {
  const shortest = knowledge.isLocal ? 250 : 1_000;
  const late = Math.max(minLatePauseMs, elapsedMs / Math.max(1, polls));
  const longest = Math.min(maxPauseMs, exceedsHistory(elapsedMs, knowledge) ? late : maxPauseMs);
  // The steps are short compared with the times over which the hazard changes. It depends on the logarithm of the time
  // and on the nearest group.
  let passed = 0;
  for (let looked = 0; passed < longest;) {
    const at = elapsedMs + passed;
    const step = Math.min(Math.max(at / 200, 50), longest - passed, 1_000);
    const density = Math.sqrt(hazard(at + step / 2, knowledge) / (2 * pollWorthMs));
    if (looked + density * step >= 1) return Math.max(shortest, passed + (1 - looked) / density);
    looked += density * step;
    passed += step;
  }
  return Math.max(shortest, longest);
}

/** True if a rollout has taken so long that it probably differs from past rollouts and is not merely late. */
export function exceedsHistory(elapsedMs: number, knowledge: Knowledge): boolean {
  if (knowledge.count === 0) return false;
  const { unexpected, expected } = remainingShares(elapsedMs, knowledge);
  return unexpected > expected;
}

/** Returns the probability that the rollout ends now, given that it has not ended yet, per millisecond. */
function hazard(at: number, knowledge: Knowledge): number {
  const { groups, count, isLocal } = knowledge;
  const nothingKnown = isLocal ? localHazard : unknownHazard;
  const guess = Math.max(nothingKnown.floor, nothingKnown.early / Math.max(at, 1));
  if (count === 0) return guess;
  const { unexpected, expected } = remainingShares(at, knowledge);
  const density = groups.reduce((sum, group) => {
    const remaining = survival(at, group);
    return sum + group.share * remaining * (1 - remaining) * (group.shape / Math.max(at, 1));
  }, 0);
  const ending = (1 - shareOf(knowledge)) * density;
  // Unexpected rollouts have no typical duration: half of those still in progress take at least as long again as they
  // have taken so far.
  const wild = unexpected / (at + groups.at(-1)!.medianMs);
  return (ending + wild) / (unexpected + expected);
}

/** Returns the probabilities that a rollout of each type is still in progress. */
function remainingShares(at: number, knowledge: Knowledge): { unexpected: number; expected: number } {
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
