/** Options of `withLock`. */
export interface LockOptions {
  /** Signal that stops the wait without acquiring the lock. */
  signal?: AbortSignal;
  /** Called once, with the owner's process ID, if another live process holds the lock. */
  onWait?: (owner: number) => void;
}

/** Runs `work` while holding the lock folder at `path`. Waits if another live process holds it. */
export function withLock<T>(path: string, work: () => Promise<T>, options?: LockOptions): Promise<T>;

/** True if a process with this ID exists, including those of other users. */
export function isAlive(pid: number): boolean;
