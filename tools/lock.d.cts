/** What a waiter for a lock may pass. */
export interface LockOptions {
  /** Stops the wait; the lock is then not taken. */
  signal?: AbortSignal;
  /** Called once, with the owner's process id, if another live process holds the lock. */
  onWait?: (owner: number) => void;
}

/** Runs `work` while holding the lock folder at `path`; waits for another live process that holds it. */
export function withLock<T>(path: string, work: () => Promise<T>, options?: LockOptions): Promise<T>;

/** Whether a process with this id exists, also one of another user. */
export function isAlive(pid: number): boolean;
