import { setTimeout as sleep } from "node:timers/promises";

const lookEveryMs = 10;

/** Kills every process of the group that `leader` leads; does nothing if none is left. */
export function killGroup(leader: number): void {
  signalGroup(leader, "SIGKILL");
}

/** Waits until killed processes have vanished, but not for those that nobody collects. */
export async function groupGone(leader: number, withinMs = 300): Promise<void> {
  for (let waited = 0; waited < withinMs && signalGroup(leader, 0); waited += lookEveryMs)
    await sleep(lookEveryMs);
}

function signalGroup(leader: number, signal: "SIGKILL" | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    // macOS answers EPERM when only ended processes are left.
    if (["ESRCH", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
