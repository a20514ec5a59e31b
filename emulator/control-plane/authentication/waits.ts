import type { Clock } from "../../clock";

/** Requests that wait for a flow to create a token. */
export class Waits {
  readonly #waiting = new Map<string, Set<(token: string) => void>>();

  constructor(private readonly clock: Clock) {}

  /** Resolves with the token, or with `undefined` after the timeout. */
  forToken(flowId: string, ms: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(flowId) ?? new Set();
      this.#waiting.set(flowId, waiting);
      const end = (token?: string): void => {
        takeBack();
        waiting.delete(end);
        if (waiting.size === 0) this.#waiting.delete(flowId);
        resolve(token);
      };
      const takeBack = this.clock.after(ms, () => end());
      waiting.add(end);
    });
  }

  arrived(flowId: string, token: string): void {
    for (const end of [...(this.#waiting.get(flowId) ?? [])]) end(token);
  }
}
