import type { Clock } from "../../clock";
import { StorageFault } from "../../storage/storage-fault";
import type { Agent } from "./agent";
import { Timer } from "./timer";
import type { TimerDeps } from "./deps";

const retryMs = 1000;

/** Deletes expired items; retries while the agent is unreachable. */
export class Expiry {
  readonly #timer: Timer;
  readonly #clock: Clock;
  #closed = false;
  #isFiring = false;

  /**
   * @param next - Returns the time when the next item expires.
   * @param expire - Deletes the expired items.
   */
  constructor(
    private readonly deps: TimerDeps,
    private readonly next: () => number | undefined,
    private readonly expire: (agent: Agent) => Promise<void>,
  ) {
    this.#clock = deps.clock;
    this.#timer = new Timer(deps.clock, () => void this.#fire());
    this.schedule();
  }

  schedule(): void {
    if (!this.#closed && !this.#isFiring) this.#timer.set(this.next());
  }

  close(): void {
    this.#closed = true;
    this.#timer.set(undefined);
  }

  async #fire(): Promise<void> {
    this.#isFiring = true;
    let again: number | undefined;
    try {
      const agent = this.deps.agent();
      if (!agent) throw new Error("No agent is serving.");
      await this.expire(agent);
      again = this.next();
    } catch (error) {
      if (error instanceof StorageFault) this.deps.reportError(error);
      again = this.#clock.now() + retryMs;
    }
    this.#isFiring = false;
    if (!this.#closed) this.#timer.set(again);
  }
}
