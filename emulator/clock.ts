/** Clock of the control plane. Uses the system time by default; a virtual clock makes long rollouts testable. */
export interface Clock {
  /** Returns the current time, in milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `action` once after `delayMs`. Returns a function that cancels the call. */
  after(delayMs: number, action: () => void): () => void;
}

/** System clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
