import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { until } from "./waiting";

/** A process that runs. */
export interface RunningProcess {
  pid: number;
  command: string;
}

/**
 * The processes that have to do with a folder: they work in it, or it stands in their command line or in their
 * environment, which they hand down to all that they start. One that has ended and waits to be collected does not
 * count.
 */
export function processesOf(folder: string): RunningProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ pid: Number(name), command: read(name, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ pid, command }) => command !== "" && concerns(pid, command, folder));
}

/** Waits until no process has to do with the folder any more. */
export function noProcessOf(folder: string): Promise<void> {
  return until(() => processesOf(folder).length === 0);
}

function concerns(pid: number, command: string, folder: string): boolean {
  return (
    command.includes(folder) || workingFolder(pid).startsWith(folder) || read(pid, "environ").includes(folder)
  );
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

function read(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

/** Whether a process is this one, or was started by it or by one that it has started. */
export function isStartedBy(pid: number, ancestor: number): boolean {
  if (pid === ancestor) return true;
  const [, parent] = /\) \S (\d+)/.exec(read(pid, "stat")) ?? [];
  return parent !== undefined && Number(parent) > 1 && isStartedBy(Number(parent), ancestor);
}
