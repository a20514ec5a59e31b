// Link to the control plane: a pipe for reports, each of which is a line of JSON.
import { writeSync } from "node:fs";

const linkFd = 3;

/**
 * Sends a report to the control plane. Returns after the report has been written, so that it is not lost on
 * `process.exit`.
 */
export function report(message) {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(linkFd, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") return;
    }
  }
}
