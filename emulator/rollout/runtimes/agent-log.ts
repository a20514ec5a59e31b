import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "../rollout";

/** A log entry for one line of an agent's output. */
export interface AgentLogEntry {
  level: LogLevel;
  message: string;
}

/** Returns an output line without colors, or `undefined` if it is empty. */
export function plainLine(line: string): string | undefined {
  return stripVTControlCharacters(line).trimEnd() || undefined;
}

/** Returns the log entry for a line that was printed by the project's code. */
export function guessedEntry(text: string, from: "stdout" | "stderr"): AgentLogEntry {
  return { level: guessLevel(text, from), message: text };
}

function guessLevel(text: string, from: "stdout" | "stderr"): LogLevel {
  if (/\b(fatal|critical)\b/i.test(text)) return "CRITICAL";
  if (/\b(error|exception)\b|Error:/i.test(text)) return "ERROR";
  if (/\bwarn(ing)?\b/i.test(text)) return "WARNING";
  return from === "stderr" ? "WARNING" : "INFO";
}
