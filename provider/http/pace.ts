import type { Clock } from "../clock";
import type { AgentServerError } from "../errors";

/** How long a budget that nobody uses may be saved up, in seconds. */
const burstSeconds = 5;

/** What one request of many has to keep to. */
export interface Turn {
  /** No turn is waited for beyond this moment, in milliseconds since 1970. */
  deadline?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The pace of all requests of a process to one service: so many a second, first come, first served, with a burst after a
 * quiet time; and silence for as long as the service has asked for it, which one request hears and all obey.
 */
export class Pace {
  /** When the budget was empty, had it always been used, in milliseconds since 1970. */
  private emptyAt = Number.NEGATIVE_INFINITY;
  private hold?: { until: number; error: AgentServerError };
  private difference?: number;

  /** @param perSecond requests a second; without a number there is no limit */
  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number = Number.POSITIVE_INFINITY,
  ) {}

  /**
   * Resolves when the next request may be sent.
   * @throws what made the service ask for silence, where that lasts longer than there is time; the reason of the signal
   */
  async turn({ deadline = Number.POSITIVE_INFINITY, signal }: Turn = {}): Promise<void> {
    const now = this.clock.now();
    const everyMs = 1_000 / this.perSecond;
    this.emptyAt = Math.max(this.emptyAt + everyMs, now - burstSeconds * 1_000 + everyMs);
    if (this.emptyAt > now) await this.clock.sleep(this.emptyAt - now, signal);
    for (let left = this.heldFor(); left > 0; left = this.heldFor()) {
      if (this.clock.now() + left > deadline) throw this.hold!.error;
      await this.clock.sleep(left, signal);
    }
  }

  /** The service has asked all to be silent for so long. @param error what it asked with */
  silence(ms: number, error: AgentServerError): void {
    const until = this.clock.now() + ms;
    if (until > (this.hold?.until ?? 0)) this.hold = { until, error };
  }

  /** Takes the service's time from an answer's `Date`. */
  sawDate(header: unknown): void {
    const at = typeof header === "string" ? Date.parse(header) : Number.NaN;
    // A date has whole seconds: half of one is the mean of what it leaves out.
    if (!Number.isNaN(at)) this.difference = at + 500 - this.clock.now();
  }

  /** How far the service's clock is ahead of ours, in milliseconds, give or take a second; nothing before an answer. */
  get clockDifferenceMs(): number | undefined {
    return this.difference;
  }

  private heldFor(): number {
    return (this.hold?.until ?? 0) - this.clock.now();
  }
}
