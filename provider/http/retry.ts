/** Number of attempts for a request, and the pauses between them. */
export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  attempts: number;
  /** Upper bound of the first pause, in milliseconds. The bound doubles with each attempt. */
  baseMs: number;
  /** Upper bound of every pause, in milliseconds. */
  capMs: number;
  /** Maximum pause for `Retry-After`, in milliseconds. Longer pauses are reduced to this value. */
  retryAfterCapMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 6,
  baseMs: 250,
  capMs: 8_000,
  retryAfterCapMs: 60_000,
};

/**
 * Returns the pause before the next attempt: the one that the server requested or, if there is none, a random pause up
 * to a bound that doubles with each attempt. A requested pause that has already ended according to the local clock is
 * also replaced by a random pause.
 */
export function retryPause(
  policy: RetryPolicy,
  failedTries: number,
  retryAfterMs: number | undefined,
  random: () => number,
): number {
  if (retryAfterMs) return Math.min(retryAfterMs, policy.retryAfterCapMs);
  return Math.round(random() * Math.min(policy.capMs, policy.baseMs * 2 ** (failedTries - 1)));
}

/**
 * Parses `Retry-After` in either form (seconds or an HTTP date) as milliseconds from `now`; `undefined` if it is
 * invalid.
 */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a weekday and a month in letters; Date.parse alone would also accept "1.5" or "-3".
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/**
 * True for statuses after which the same GET or DELETE may succeed. A request that the server does not implement never
 * succeeds.
 */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** Combined limits for all retries of one operation. */
export interface BudgetLimits {
  /** Number of retries, not counting first attempts. */
  retries: number;
  /** Total length of the pauses before retries, in milliseconds. */
  pauseMs: number;
}

/** Limits that leave enough time for a service to restart. After that, an error is better than a longer wait. */
const defaultBudgetLimits: BudgetLimits = { retries: 12, pauseMs: 300_000 };

/** Retry budget, shared by all requests of one operation except for those that are part of a wait. */
export class RetryBudget {
  private retries = 0;
  private pausedMs = 0;

  constructor(private readonly limits: BudgetLimits = defaultBudgetLimits) {}

  /** Consumes one retry after a pause of this length. If too little is left, consumes nothing and returns false. */
  spend(pauseMs: number): boolean {
    if (this.retries >= this.limits.retries || this.pausedMs + pauseMs > this.limits.pauseMs) return false;
    this.retries += 1;
    this.pausedMs += pauseMs;
    return true;
  }
}
