import { writeSync } from "node:fs";

/**
 * Prints an error to standard error. If the error cannot be printed, for example because the disk is full, the control
 * plane keeps running.
 */
export function reportError(error: unknown): void {
  try {
    writeSync(process.stderr.fd, `${error instanceof Error ? error.message : String(error)}\n`);
  } catch {
    // There is no other place to report it.
  }
}
