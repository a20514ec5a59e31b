import { setTimeout as pause } from "node:timers/promises";

/** Long enough for a build of everything on a busy machine, shorter than what a test may take. */
const patienceMs = 240_000;

/** Waits until something has come true. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${condition.toString()}`);
    await pause(10);
  }
}
