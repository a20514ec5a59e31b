import type { AgentServerError } from "../errors";
import type { TransportOptions } from "./transport";

/** Called before a request is sent again. What it throws ends the wait of this caller, and of nobody else. */
export type OnRetry = NonNullable<TransportOptions["onRetry"]>;

/** The answer to a request that somebody else has sent; nothing where it fails. @throws what `onRetry` throws */
export async function answerTo<Result>(
  request: SharedRequest<Result>,
  onRetry?: OnRetry,
): Promise<Result | undefined> {
  let givenUp: { error: unknown } | undefined;
  try {
    return await request.get((...pause) => {
      try {
        onRetry?.(...pause);
      } catch (error) {
        givenUp = { error };
        throw error;
      }
    });
  } catch {
    if (givenUp) throw givenUp.error;
    return undefined;
  }
}

/** One request for all resources of a run. Each that waits for it hears of its pauses; a failure is not kept. */
export class SharedRequest<Result> {
  private answer?: Promise<Result>;
  private readonly waiting = new Set<OnRetry>();
  private pause?: { error: AgentServerError; until: number };

  /** @param now the time in milliseconds since 1970 */
  constructor(
    private readonly send: (onRetry: OnRetry) => Promise<Result>,
    private readonly now: () => number,
  ) {}

  async get(onRetry: OnRetry = () => {}): Promise<Result> {
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
      return await Promise.race([(this.answer ??= this.ask()), givenUp]);
    } finally {
      this.waiting.delete(report);
    }
  }

  private async ask(): Promise<Result> {
    try {
      return await this.send((error, pauseMs) => {
        this.pause = { error, until: this.now() + pauseMs };
        this.waiting.forEach((report) => report(error, pauseMs));
      });
    } catch (error) {
      this.answer = undefined;
      throw error;
    }
  }
}
