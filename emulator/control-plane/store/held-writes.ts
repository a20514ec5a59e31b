import type { Clock } from "../../clock";
import { StorageFault } from "../../storage/storage-fault";

const retryMs = 1000;

interface Held {
  write: () => void;
  /** Ends the wait; `made` is true if the write succeeded. */
  end: (made: boolean) => void;
}

/**
 * Writes that record what has already happened, so they cannot be refused. While the database cannot be written, they
 * are held in order. They are executed as soon as it can be written.
 */
export class HeldWrites {
  #held: Held[] = [];
  #takeBack: (() => void) | undefined;

  /** @param reportError - Called with the reason when writes begin to be held, and when one fails permanently. */
  constructor(
    private readonly clock: Clock,
    private readonly reportError: (error: unknown) => void,
  ) {}

  /**
   * Executes a write, immediately if possible.
   *
   * @param write - Reads the current state when it is executed.
   * @param signal - Cancels the write.
   * @returns true if it was executed; false if it failed permanently, or was cancelled by the signal or by `close`.
   */
  make(write: () => void, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    const made = this.#held.length > 0 ? undefined : this.#attempt(write);
    return made === undefined ? this.#hold(write, signal) : Promise.resolve(made);
  }

  /** Cancels the held writes. */
  close(): void {
    this.#takeBack?.();
    for (const held of this.#held.splice(0)) held.end(false);
  }

  /** Returns whether the write succeeded, or `undefined` if it can be retried later. */
  #attempt(write: () => void): boolean | undefined {
    try {
      write();
      return true;
    } catch (error) {
      const retried = error instanceof StorageFault;
      if (!retried || this.#held.length === 0) this.reportError(error);
      return retried ? undefined : false;
    }
  }

  #hold(write: () => void, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#held = this.#held.filter((one) => one !== held);
        held.end(false);
      };
      const held: Held = {
        write,
        end: (made) => {
          signal?.removeEventListener("abort", giveUp);
          resolve(made);
        },
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#held.push(held);
      if (this.#held.length === 1) this.#tryLater();
    });
  }

  #tryLater(): void {
    this.#takeBack?.();
    this.#takeBack = this.clock.after(retryMs, () => this.#tryAll());
  }

  #tryAll(): void {
    for (let held = this.#held[0]; held; held = this.#held[0]) {
      const made = this.#attempt(held.write);
      if (made === undefined) return this.#tryLater();
      this.#held.shift();
      held.end(made);
    }
  }
}
