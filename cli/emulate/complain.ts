import { writeSync } from "node:fs";

/**
 * Prints what went wrong. Standard error may be a file on a disk that is full; the control plane then continues
 * without the line.
 */
export function complain(error: unknown): void {
  try {
    writeSync(process.stderr.fd, `${error instanceof Error ? error.message : String(error)}\n`);
  } catch {
    // There is no other place to say it.
  }
}
