/** Time as the control plane sees it. Real by default; a virtual one makes long rollouts testable at once. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Calls `action` once after `delayMs`; the returned function takes it back. */
  after(delayMs: number, action: () => void): () => void;
}

/** The machine's own time. Its timers do not keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, action) {
    const timer = setTimeout(action, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
