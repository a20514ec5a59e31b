import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "../rollout";

/** One line of an agent's output as a log entry. */
export interface AgentLogEntry {
  level: LogLevel;
  message: string;
}

/** Returns a printed line without colors, or `undefined` if it is empty. */
export function plainLine(line: string): string | undefined {
  return stripVTControlCharacters(line).trimEnd() || undefined;
}

/** Returns the entry for a line that the project's code printed. */
export function guessedEntry(text: string, from: "stdout" | "stderr"): AgentLogEntry {
  return { level: guessLevel(text, from), message: text };
}

function guessLevel(text: string, from: "stdout" | "stderr"): LogLevel {
  if (/\b(fatal|critical)\b/i.test(text)) return "CRITICAL";
  if (/\b(error|exception)\b|Error:/i.test(text)) return "ERROR";
  if (/\bwarn(ing)?\b/i.test(text)) return "WARNING";
  return from === "stderr" ? "WARNING" : "INFO";
}
