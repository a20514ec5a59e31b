import type { RevisionLogEntry } from "../../wire";

/** An entry as it is printed: moment (UTC), level, message; the further lines of a message are indented. */
export function logLine({ timestamp, level, message }: RevisionLogEntry): string {
  const text = message.replace(/\r?\n$/, "").replace(/\r?\n/g, "\n  ");
  return `${momentOf(timestamp)} ${(level ?? "").padEnd(7)} ${text}\n`;
}

/** Servers write ISO dates or milliseconds since 1970. */
function momentOf(timestamp: RevisionLogEntry["timestamp"]): string {
  if (timestamp === null || timestamp === undefined) return "-";
  const moment = new Date(timestamp);
  return Number.isNaN(moment.getTime()) ? String(timestamp) : moment.toISOString();
}
