import type { AgentServerError } from "../errors";
import { within } from "../clock";
import type { TransportOptions } from "./transport";

/** Called before a request is sent again. What it throws ends the wait of this caller, and of nobody else. */
export type OnRetry = NonNullable<TransportOptions["onRetry"]>;

/** How somebody waits for a request that is not theirs alone. */
export interface Waiting {
  onRetry?: OnRetry;
  /** Ends the wait of this caller. The request itself ends with the last one that waits for it. */
  signal?: AbortSignal;
}

/** Sends the request; `signal` is aborted when nobody waits for it any more. */
export type Send<Result> = (onRetry: OnRetry, signal: AbortSignal) => Promise<Result>;

/**
 * The answer to a request that somebody else has sent; nothing where it fails.
 * @throws what `onRetry` throws, and the reason of the signal
 */
export async function answerTo<Result>(
  request: SharedRequest<Result>,
  { onRetry, signal }: Waiting,
): Promise<Result | undefined> {
  let givenUp: { error: unknown } | undefined;
  const report: OnRetry = (...pause) => {
    try {
      onRetry?.(...pause);
    } catch (error) {
      givenUp = { error };
      throw error;
    }
  };
  try {
    return await request.get({ onRetry: report, signal });
  } catch {
    if (givenUp) throw givenUp.error;
    signal?.throwIfAborted();
    return undefined;
  }
}

/** One request for all resources of a run. Each that waits for it hears of its pauses; a failure is not kept. */
export class SharedRequest<Result> {
  private answer?: Promise<Result>;
  /** Ends the request that is under way. */
  private ending?: AbortController;
  private readonly waiting = new Set<OnRetry>();
  private pause?: { error: AgentServerError; until: number };

  /** @param now the time in milliseconds since 1970 */
  constructor(
    private readonly send: Send<Result>,
    private readonly now: () => number,
  ) {}

  async get({ onRetry = () => {}, signal }: Waiting = {}): Promise<Result> {
    signal?.throwIfAborted();
    let report: OnRetry = onRetry;
    const givenUp = new Promise<never>((_, reject) => {
      report = (...pause) => {
        try {
          onRetry(...pause);
        } catch (error) {
          reject(error);
        }
      };
    });
    this.waiting.add(report);
    try {
      const { pause } = this;
      // Whoever comes in the midst of a pause has to hear of what is left of it.
      if (pause && pause.until > this.now()) onRetry(pause.error, pause.until - this.now());
      return await within(signal, Promise.race([(this.answer ??= this.ask()), givenUp]));
    } finally {
      this.waiting.delete(report);
      if (signal?.aborted && this.waiting.size === 0) this.end(signal.reason);
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

  /** Ends what is under way, if anything; whoever comes next asks anew. */
  private end(reason: unknown): void {
    if (!this.ending) return;
    this.ending.abort(reason);
    this.ending = this.answer = this.pause = undefined;
  }
}
