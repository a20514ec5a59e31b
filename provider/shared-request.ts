import type { TransportOptions } from "./control-plane/transport";

/** Called before a request is sent again. What it throws ends the wait of this caller, and of nobody else. */
export type OnRetry = NonNullable<TransportOptions["onRetry"]>;

/** One request for all resources of a run. Each that waits for it hears of its pauses; a failure is not kept. */
export class SharedRequest<Result> {
  private answer?: Promise<Result>;
  private readonly waiting = new Set<OnRetry>();

  constructor(private readonly send: (onRetry: OnRetry) => Promise<Result>) {}

  async get(onRetry: OnRetry = () => {}): Promise<Result> {
    let tell: OnRetry = onRetry;
    const givenUp = new Promise<never>((_, reject) => {
      tell = (...pause) => {
        try {
          onRetry(...pause);
        } catch (error) {
          reject(error);
        }
      };
    });
    this.waiting.add(tell);
    try {
      return await Promise.race([(this.answer ??= this.ask()), givenUp]);
    } finally {
      this.waiting.delete(tell);
    }
  }

  private async ask(): Promise<Result> {
    try {
      return await this.send((...pause) => this.waiting.forEach((tell) => tell(...pause)));
    } catch (error) {
      this.answer = undefined;
      throw error;
    }
  }
}
