import { truncate } from "../text/truncate";
import type { EvaluationInputs } from "./inputs";

/** Maximum number of failed cases that an error lists. */
const worstCount = 5;
/** Maximum length of an input, an answer, or a reason that an error contains, in characters. */
const partLimit = 300;

/** Result of one case. */
export interface CaseResult {
  name: string;
  /** Input of the run. The input and the answer are omitted if the case passed. */
  input?: unknown;
  answer?: unknown;
  /** Score of the answer, between 0 and 1. */
  score: number;
  /** Reason that the case did not pass; `undefined` if it did. */
  reason?: string | undefined;
}

/** Returns the fraction of the cases that passed, rounded down to four decimal places. */
export function scoreOf(results: readonly CaseResult[]): number {
  return Math.floor(shareOf(results, 10_000)) / 10_000;
}

/** Returns the fraction of the cases that passed, multiplied by `whole`. */
function shareOf(results: readonly CaseResult[], whole = 1): number {
  return results.length === 0 ? 0 : (passedOf(results) * whole) / results.length;
}

/** Returns the number of cases that passed. */
export function passedOf(results: readonly CaseResult[]): number {
  return results.filter(({ reason }) => reason === undefined).length;
}

/**
 * Returns the reason that the fraction of the cases that passed is too low; `undefined` if it is sufficient. The
 * fraction is compared exactly, but displayed as a rounded score.
 * @param previous score of the previous verified revision, if there is one
 */
export function insufficiency(
  results: readonly CaseResult[],
  { pass = 1, noWorseThan }: Pick<EvaluationInputs, "pass" | "noWorseThan">,
  previous: number | undefined,
): string | undefined {
  const share = shareOf(results);
  const score = scoreOf(results);
  if (share < pass) return `the score is ${score}, but at least ${pass} is required`;
  if (noWorseThan === undefined || previous === undefined || share >= previous) return undefined;
  return `the score is ${score}, which is worse than ${previous}, the score of the previous revision`;
}

/**
 * Describes the failed cases with the lowest scores.
 * @param redact removes secrets before the parts are shortened
 */
export function describeWorst(results: readonly CaseResult[], redact: (text: string) => string): string[] {
  const failed = results.filter(({ reason }) => reason !== undefined);
  const worst = [...failed].sort((one, other) => one.score - other.score).slice(0, worstCount);
  const shorten = (text: string) => truncate(text, partLimit);
  const shown = (value: unknown) => shorten(redact(value === undefined ? "none" : JSON.stringify(value)));
  return worst.map(
    ({ name, input, answer, reason = "" }) =>
      `Case ${shorten(redact(name))} failed: ${shorten(redact(reason))}. Input: ${shown(input)}. Answer: ${shown(answer)}.`,
  );
}
