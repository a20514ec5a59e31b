import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { until } from "./waiting";

export interface RunningProcess {
  pid: number;
  command: string;
}

/**
 * Returns the processes that use a folder: as their working directory, on their command line, or in their environment,
 * which their child processes inherit. Ignores zombie processes.
 */
export function processesOf(folder: string): RunningProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => ({ pid: Number(name), command: read(name, "cmdline").replaceAll("\0", " ").trim() }))
    .filter(({ pid, command }) => command !== "" && concerns(pid, command, folder));
}

/** Waits until no process uses the folder any longer. */
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

/** True if a process is `ancestor` or one of its descendants. */
export function isStartedBy(pid: number, ancestor: number): boolean {
  if (pid === ancestor) return true;
  const [, parent] = /\) \S (\d+)/.exec(read(pid, "stat")) ?? [];
  return parent !== undefined && Number(parent) > 1 && isStartedBy(Number(parent), ancestor);
}
