import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Time to wait for output after the end of a process: a process that left its group may keep the pipe open. */
const lastOutputMs = 500;

/** Resolves when the process has ended and its output has been read; rejects if it could not be started. */
export async function childEnd(child: ChildProcess): Promise<ChildEnd> {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, lastOutputMs)));
  await Promise.race([closed, patience]);
  clearTimeout(timer);
  return { code, signal };
}
