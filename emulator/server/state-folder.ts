import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock";
import { DatabaseHeld } from "../storage/database";
import { makeOwnFolder, writeOwnFile } from "../storage/own-files";
import { StorageFault } from "../storage/storage-fault";
import { deploymentsFolder } from "../control-plane/folders";
import { Store } from "../control-plane/store/store";

/** Name of the file that identifies the process that is using a state folder: `{"pid": …, "baseUrl": …}`. */
const runningFile = "running.json";

/** Opens the store of a state folder, which only one process at a time may use. */
export function openStore(
  state: string | undefined,
  clock: Clock,
  reportError: (error: unknown) => void,
): Store {
  if (state === undefined) return new Store(undefined, clock, reportError);
  makeOwnFolder(state);
  excludeFromSources(state);
  const file = join(state, "control-plane.sqlite");
  requireWhole(file, state);
  try {
    return new Store(file, clock, reportError);
  } catch (error) {
    if (!(error instanceof DatabaseHeld)) throw error;
    const { pid, baseUrl } = readRunning(state);
    const who = pid === undefined ? "another process" : `process ${pid}${baseUrl ? ` (${baseUrl})` : ""}`;
    throw new Error(
      `The state folder ${state} is in use by ${who}. Stop that process, or use another folder.`,
    );
  }
}

/**
 * Writes a `.gitignore` that excludes the state folder. The folder contains keys and changes constantly, so it must
 * never be committed or deployed together with a source.
 */
function excludeFromSources(state: string): void {
  try {
    writeFileSync(join(state, ".gitignore"), "*\n", { mode: 0o600, flag: "wx" });
  } catch {
    // The file exists, or the folder cannot be written. In the latter case, the next write of data reports the problem.
  }
}

/**
 * Throws if the database file is empty although deployment folders exist. Without this check, the file would be used as
 * a new database.
 */
function requireWhole(file: string, state: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  const folder = join(state, deploymentsFolder);
  const count = existsSync(folder) ? readdirSync(folder).length : 0;
  if (count > 0)
    throw new StorageFault("damaged", file, new Error(`it is empty, but ${folder} contains data`));
}

/**
 * Writes `running.json`, which identifies the process that uses the state folder. Returns a function that tries to
 * delete the file.
 */
export function announce(
  state: string | undefined,
  baseUrl: string,
  reportError: (error: unknown) => void,
): () => void {
  if (state === undefined) return () => undefined;
  const file = join(state, runningFile);
  writeOwnFile(file, `${JSON.stringify({ pid: process.pid, baseUrl })}\n`);
  return () => {
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // If the file remains, it refers to a process that no longer exists.
      reportError(error);
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
