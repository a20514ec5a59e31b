import type { TransportOptions } from "./control-plane/transport";

/** Told before a request is sent again. */
export type OnRetry = NonNullable<TransportOptions["onRetry"]>;

/** One request for all resources of a run. Each that waits for it is told of its pauses; a failure is not kept. */
export class SharedRequest<Result> {
  private answer?: Promise<Result>;
  private readonly waiting = new Set<OnRetry>();

  constructor(private readonly send: (onRetry: OnRetry) => Promise<Result>) {}

  async get(onRetry: OnRetry = () => {}): Promise<Result> {
    this.waiting.add(onRetry);
    try {
      this.answer ??= this.send((...pause) => this.waiting.forEach((tell) => tell(...pause)));
      return await this.answer;
    } catch (error) {
      this.answer = undefined;
      throw error;
    } finally {
      this.waiting.delete(onRetry);
    }
  }
}
