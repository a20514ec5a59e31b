import { setTimeout as pause } from "node:timers/promises";

/**
 * Maximum wait in milliseconds: long enough to build everything on a busy machine, but shorter than the timeout of a
 * test.
 */
const maxWaitMs = 240_000;

/** Waits until a condition is met. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${condition.toString()}`);
    await pause(10);
  }
}
