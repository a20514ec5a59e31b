import { isTooLate, signalAt, timeoutError, type Deadline } from "../deadline";
import type { AgentServerError } from "../errors";
import { within } from "../clock";
import type { TransportOptions } from "./transport";

/** Called before a request is retried. */
export type OnRetry = NonNullable<TransportOptions["onRetry"]>;

/** Options of a caller that waits for a shared request. The request is canceled when its last caller stops waiting. */
export interface Waiting {
  onRetry?: OnRetry;
  /** Time limit after which this caller stops waiting. */
  deadline?: Deadline;
  /** Signal that ends the wait of this caller. */
  signal?: AbortSignal;
}

/** Sends the request; `signal` is aborted when no caller is waiting for it any longer. */
export type Send<Result> = (onRetry: OnRetry, signal: AbortSignal) => Promise<Result>;

/**
 * Returns the response to another caller's request; `undefined` if that request fails, or pauses for longer than
 * this caller can wait.
 * @throws AgentServerError `timeout` at the deadline of this caller, or the signal's abort reason
 */
export async function answerTo<Result>(
  request: SharedRequest<Result>,
  waiting: Waiting,
): Promise<Result | undefined> {
  try {
    return await request.get(waiting);
  } catch (error) {
    if (isTooLate(error)) throw error;
    waiting.signal?.throwIfAborted();
    return undefined;
  }
}

/** Request that all resources of a run share. Each caller is notified of pauses. Failures are not cached. */
export class SharedRequest<Result> {
  private answer?: Promise<Result>;
  /** Controller that cancels the request in progress. */
  private ending?: AbortController;
  private readonly waiting = new Set<OnRetry>();
  private pause?: { error: AgentServerError; until: number };

  /**
   * @param request name of the request in messages, for example `GET /v2/deployments`
   * @param now returns the current time, in milliseconds since 1970
   */
  constructor(
    private readonly request: string,
    private readonly send: Send<Result>,
    private readonly now: () => number,
  ) {}

  /**
   * Returns the result, and sends the request if no other caller has sent it.
   * @throws AgentServerError the error that causes a retry, if the pause before the retry would end after the deadline
   */
  async get({ onRetry = () => {}, deadline, signal }: Waiting = {}): Promise<Result> {
    signal?.throwIfAborted();
    // Even after the deadline, a read may determine which changes the service accepted before the deadline.
    const timeout = deadline && signalAt(Math.max(deadline.at, this.now() + 1_000), this.now());
    const ending = AbortSignal.any([signal, timeout].filter((one) => one !== undefined));
    let report: OnRetry = onRetry;
    const givenUp = new Promise<never>((_, reject) => {
      report = (error, pauseMs) => {
        if (deadline && this.now() + pauseMs > deadline.at) reject(error);
        else onRetry(error, pauseMs);
      };
    });
    this.waiting.add(report);
    try {
      const answer = Promise.race([(this.answer ??= this.ask()), givenUp]);
      const { pause } = this;
      // A caller that arrives during a pause is informed of the remaining time.
      if (pause && pause.until > this.now()) report(pause.error, pause.until - this.now());
      return await within(ending, answer);
    } catch (error) {
      if (!deadline || !timeout?.aborted || error !== timeout.reason) throw error;
      throw timeoutError(deadline, `the wait for the response to ${this.request} was canceled`);
    } finally {
      this.waiting.delete(report);
      if (this.waiting.size === 0) this.end(ending.reason);
    }
  }

  private async ask(): Promise<Result> {
    const ending = (this.ending = new AbortController());
    try {
      return await this.send((error, pauseMs) => {
        this.pause = { error, until: this.now() + pauseMs };
        this.waiting.forEach((report) => report(error, pauseMs));
      }, ending.signal);
    } catch (error) {
      if (this.ending === ending) this.answer = undefined;
      throw error;
    } finally {
      if (this.ending === ending) this.ending = undefined;
    }
  }

  /** Cancels the request in progress; the next caller sends a new one. */
  private end(reason: unknown): void {
    if (!this.ending) return;
    this.ending.abort(reason);
    this.ending = this.answer = this.pause = undefined;
  }
}
