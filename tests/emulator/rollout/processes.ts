import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Returns the processes that use a folder, without zombie processes. */
export function processesIn(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => workingFolder(pid)?.startsWith(folder));
}

/** Returns the process that started all others that use the folder. Its ID is not always the lowest one. */
export function firstProcessIn(folder: string): number {
  const all = processesIn(folder);
  const first = all.find((pid) => !all.includes(parentOf(pid)));
  if (first === undefined) throw new Error(`No process uses ${folder}.`);
  return first;
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Waits until the condition is met; fails after `withinMs`. */
export async function eventually(condition: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const until = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await sleep(20);
  }
}

export async function allGone(folder: string): Promise<void> {
  await eventually(() => processesIn(folder).length === 0, `no process left in ${folder}`, 5000);
}
