import type { Clock } from "../../clock";
import { StorageFault } from "../../storage/storage-fault";

const retryMs = 1000;

interface QueuedWrite {
  write: () => void;
  /** Ends the wait for the write; `made` is true if the write succeeded. */
  end: (made: boolean) => void;
}

/**
 * Queue of writes that record past events and therefore cannot be rejected. While the database is not writable, writes
 * are queued in order. They are executed as soon as the database is writable again.
 */
export class WriteQueue {
  #writes: QueuedWrite[] = [];
  #cancelRetry: (() => void) | undefined;

  /** @param reportError - Called with the reason when writes start to be queued, and when a write fails permanently. */
  constructor(
    private readonly clock: Clock,
    private readonly reportError: (error: unknown) => void,
  ) {}

  /**
   * Executes a write, immediately if possible.
   *
   * @param write - Reads the current state when it is executed.
   * @param signal - Cancels the write.
   * @returns true if the write was executed; false if it failed permanently, or was canceled by the signal or by
   * `close`.
   */
  execute(write: () => void, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    const made = this.#writes.length > 0 ? undefined : this.#attempt(write);
    return made === undefined ? this.#enqueue(write, signal) : Promise.resolve(made);
  }

  /** Cancels all queued writes. */
  close(): void {
    this.#cancelRetry?.();
    for (const queued of this.#writes.splice(0)) queued.end(false);
  }

  /** Returns true if the write succeeded, false if it failed permanently, or `undefined` if it can be retried later. */
  #attempt(write: () => void): boolean | undefined {
    try {
      write();
      return true;
    } catch (error) {
      const retried = error instanceof StorageFault;
      if (!retried || this.#writes.length === 0) this.reportError(error);
      return retried ? undefined : false;
    }
  }

  #enqueue(write: () => void, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#writes = this.#writes.filter((one) => one !== queued);
        queued.end(false);
      };
      const queued: QueuedWrite = {
        write,
        end: (made) => {
          signal?.removeEventListener("abort", giveUp);
          resolve(made);
        },
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#writes.push(queued);
      if (this.#writes.length === 1) this.#tryLater();
    });
  }

  #tryLater(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = this.clock.after(retryMs, () => this.#tryAll());
  }

  #tryAll(): void {
    for (let queued = this.#writes[0]; queued; queued = this.#writes[0]) {
      const made = this.#attempt(queued.write);
      if (made === undefined) return this.#tryLater();
      this.#writes.shift();
      queued.end(made);
    }
  }
}
