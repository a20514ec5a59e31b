import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock";
import { DatabaseHeld } from "../storage/database";
import { makeOwnFolder, writeOwnFile } from "../storage/own-files";
import { Store } from "./store/store";

/** Name of the file that tells who uses a state folder: `{"pid": …, "baseUrl": …}`. */
const runningFile = "running.json";

/** Opens the store of a state folder, which only one process at a time may do. */
export function openStore(
  state: string | undefined,
  clock: Clock,
  complain: (error: unknown) => void,
): Store {
  if (state === undefined) return new Store(undefined, clock, complain);
  makeOwnFolder(state);
  try {
    return new Store(join(state, "control-plane.sqlite"), clock, complain);
  } catch (error) {
    if (!(error instanceof DatabaseHeld)) throw error;
    const { pid, baseUrl } = readRunning(state);
    const who = pid === undefined ? "another process" : `process ${pid}${baseUrl ? ` (${baseUrl})` : ""}`;
    throw new Error(`The state folder ${state} is in use by ${who}. Stop that one, or use another folder.`);
  }
}

/** Tells others who uses the state folder; the returned function takes it back, as far as that is possible. */
export function announce(
  state: string | undefined,
  baseUrl: string,
  complain: (error: unknown) => void,
): () => void {
  if (state === undefined) return () => undefined;
  const file = join(state, runningFile);
  writeOwnFile(file, `${JSON.stringify({ pid: process.pid, baseUrl })}\n`);
  return () => {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // What is left names a process that does not exist any more.
      complain(error);
    }
  };
}

function readRunning(state: string): { pid?: number; baseUrl?: string } {
  const file = join(state, runningFile);
  try {
    if (!existsSync(file)) return {};
    return JSON.parse(readFileSync(file, "utf8")) as ReturnType<typeof readRunning>;
  } catch {
    return {};
  }
}
