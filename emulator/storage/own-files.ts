import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { storageFaultOf } from "./storage-fault";

/**
 * Runs an operation on a file or folder of the state.
 * @throws StorageFault if the system rejects the operation
 */
export function inPlace<Result>(place: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw storageFaultOf(error, place) ?? error;
  }
}

/**
 * Atomically writes a file that only the current user can read.
 * @throws StorageFault
 */
export function writeOwnFile(file: string, text: string): void {
  const unfinished = `${file}.new`;
  inPlace(file, () => {
    try {
      // A file that was left by a killed process may have a different mode.
      rmSync(unfinished, { force: true });
      writeFileSync(unfinished, text, { mode: 0o600, flush: true });
      renameSync(unfinished, file);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
  });
}

/**
 * Creates a folder that only the current user can read, and its parent folders, unless they exist.
 * @throws StorageFault
 */
export function makeOwnFolder(folder: string): void {
  inPlace(folder, () => makeFolder(folder));
}

/**
 * Creates a single folder. With the `recursive` option, Node.js would report a folder as missing if its creation is not
 * permitted.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT") throw error;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}
