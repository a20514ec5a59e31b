import { existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const maxWaitMs = 60_000;

/** Waits until a condition is true, within the time limit of a test. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + maxWaitMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${condition.toString()}`);
    await pause(10);
  }
}

/** Waits until a process has exited. */
export function gone(pid: number): Promise<void> {
  return until(() => !isAlive(pid));
}

/** True if a process exists and is not waiting to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (!existsSync("/proc/self/stat")) return true;
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
