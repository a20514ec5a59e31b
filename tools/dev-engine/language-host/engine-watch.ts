import { fstatSync } from "node:fs";

const pollMs = 1_000;

/**
 * Calls `onGone` once when the engine that started this process has exited for any reason. The exit closes standard
 * input, or changes the parent process.
 */
export function watchEngine(onGone: () => void): void {
  let reported = false;
  const gone = () => {
    if (!reported) onGone();
    reported = true;
  };
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && gone(), pollMs).unref();

  if (!isPipe(0)) return;
  process.stdin.on("end", gone).on("error", gone).resume();
}

function isPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isSocket();
  } catch {
    return false;
  }
}
