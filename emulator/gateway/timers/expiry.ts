import type { Clock } from "../../clock";
import { StorageFault } from "../../storage/storage-fault";
import type { Agent } from "./agent";
import { Alarm } from "./timer";
import type { BookParts } from "./deps";

const retryMs = 1000;

/** Deletes expired items; retries while the agent is unreachable. */
export class Expiry {
  readonly #alarm: Alarm;
  readonly #clock: Clock;
  #closed = false;
  #ringing = false;

  /** @param next - Returns the time at which the next item expires.|@param expire - Deletes the expired items. */
  constructor(
    private readonly parts: BookParts,
    private readonly next: () => number | undefined,
    private readonly expire: (agent: Agent) => Promise<void>,
  ) {
    this.#clock = parts.clock;
    this.#alarm = new Alarm(parts.clock, () => void this.#ring());
    this.schedule();
  }

  schedule(): void {
    if (!this.#closed && !this.#ringing) this.#alarm.set(this.next());
  }

  close(): void {
    this.#closed = true;
    this.#alarm.set(undefined);
  }

  async #ring(): Promise<void> {
    this.#ringing = true;
    let again: number | undefined;
    try {
      const agent = this.parts.agent();
      if (!agent) throw new Error("No agent serves now.");
      await this.expire(agent);
      again = this.next();
    } catch (error) {
      if (error instanceof StorageFault) this.parts.complain(error);
      again = this.#clock.now() + retryMs;
    }
    this.#ringing = false;
    if (!this.#closed) this.#alarm.set(again);
  }
}
