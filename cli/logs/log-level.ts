import type { RevisionLogEntry } from "../../wire";

/** Levels for filtering a log, from the least severe to the most severe. */
export const logLevels = ["debug", "info", "warning", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Other known levels, with the level in `logLevels` that each corresponds to. */
const equivalents: Readonly<Record<string, LogLevel>> = {
  trace: "debug",
  warn: "warning",
  err: "error",
  fatal: "error",
  critical: "error",
};

/** True if a line has at least this level of severity. Lines without a known level are always included. */
export function hasLevel(least: LogLevel, { level }: RevisionLogEntry): boolean {
  const name = level?.toLowerCase() ?? "";
  const severity = logLevels.indexOf(equivalents[name] ?? (name as LogLevel));
  return severity < 0 || severity >= logLevels.indexOf(least);
}
