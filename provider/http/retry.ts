/** How often and how long a request is tried again. */
export interface RetryPolicy {
  /** Tries in all, the first included. */
  attempts: number;
  /** Bound of the first pause in milliseconds; it doubles with every try. */
  baseMs: number;
  /** Bound of every later pause in milliseconds. */
  capMs: number;
  /** Longest `Retry-After` that is obeyed, in milliseconds; a longer one is cut to it. */
  retryAfterCapMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 6,
  baseMs: 250,
  capMs: 8_000,
  retryAfterCapMs: 60_000,
};

/**
 * Returns the pause before the next try: what the server asked for, else full jitter over a doubling bound. A server that
 * asks for no pause, or for one until a time that has passed by this clock, does not ask for all tries at once.
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

/** `Retry-After` in either form (seconds or an HTTP date) as milliseconds from `now`; nonsense gives nothing. */
export function parseRetryAfter(header: unknown, now: number): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a weekday and a month in letters; Date.parse alone would also take "1.5" or "-3".
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Statuses after which the same GET or DELETE may well succeed; what a server does not implement it never will. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

/** What one operation may spend on repeating requests, over all of them. */
export interface BudgetLimits {
  /** Requests that are sent again, first tries not counted. */
  retries: number;
  /** Pauses before them, in milliseconds. */
  pauseMs: number;
}

/** Enough for a restart of a service; after that an error is better than more waiting. */
const defaultBudgetLimits: BudgetLimits = { retries: 12, pauseMs: 300_000 };

/** One budget of retries, shared by all requests of one operation outside its wait. */
export class RetryBudget {
  private retries = 0;
  private pausedMs = 0;

  constructor(private readonly limits: BudgetLimits = defaultBudgetLimits) {}

  /** Spends one retry after a pause of this length; spends nothing and says no when too little is left. */
  spend(pauseMs: number): boolean {
    if (this.retries >= this.limits.retries || this.pausedMs + pauseMs > this.limits.pauseMs) return false;
    this.retries += 1;
    this.pausedMs += pauseMs;
    return true;
  }
}
