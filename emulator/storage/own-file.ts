import { chmodSync, writeFileSync } from "node:fs";
import { storageFaultOf } from "./storage-fault";

/** Does something with a file or folder of the state. @throws StorageFault if the system refuses it. */
export function inPlace<Result>(place: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw storageFaultOf(error, place) ?? error;
  }
}

/** Writes a file that its owner alone may read. @throws StorageFault */
export function writeOwnFile(file: string, text: string): void {
  inPlace(file, () => {
    writeFileSync(file, text, { mode: 0o600 });
    // The mode above is for a new file alone.
    chmodSync(file, 0o600);
  });
}
