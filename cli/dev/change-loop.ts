import type { Clock } from "../../provider/clock";

/** Time without further changes before a rollout starts, in milliseconds. Editors write a file in several steps. */
const quietMs = 100;
/** Maximum time that further changes delay a rollout, in milliseconds. */
const maxDelayMs = 2_000;

/**
 * Runs `work` again after each change. Several changes in quick succession, or while `work` is running, cause only one
 * more run.
 */
export class ChangeLoop {
  private count = 0;
  /** Number of changes before the last run of `work` started. */
  private covered = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  /** Reports a change. */
  readonly changed = (): void => {
    this.count += 1;
    this.wake();
  };

  /** Runs `work` after each change until the signal aborts, and then rejects with the signal's reason. */
  async run(work: () => Promise<void>, signal: AbortSignal): Promise<never> {
    for (;;) {
      await this.nextChange(signal);
      await this.quiet(signal);
      this.covered = this.count;
      await work();
    }
  }

  private nextChange(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) return stop();
      if (this.count > this.covered) return resolve();
      signal.addEventListener("abort", stop, { once: true });
      this.wake = () => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
    });
  }

  private async quiet(signal: AbortSignal): Promise<void> {
    const latest = this.clock.now() + maxDelayMs;
    for (let seen = -1; seen !== this.count && this.clock.now() < latest;) {
      seen = this.count;
      await this.clock.sleep(quietMs, signal);
    }
  }
}
