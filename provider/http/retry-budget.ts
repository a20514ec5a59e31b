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
