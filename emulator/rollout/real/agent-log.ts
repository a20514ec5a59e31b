import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "../rollout";

/** One line of an agent's output as a log entry. */
export interface AgentLogEntry {
  level: LogLevel;
  message: string;
}

/** Reads a line that the agent server printed: its own JSON records, or whatever the project's code prints. */
export function agentLogEntry(line: string, from: "stdout" | "stderr"): AgentLogEntry | undefined {
  const text = stripVTControlCharacters(line).trimEnd();
  if (text === "") return undefined;
  return runtimeRecord(text) ?? { level: guessLevel(text, from), message: text };
}

const runtimeLevels: Record<string, LogLevel> = {
  error: "ERROR",
  warn: "WARNING",
  info: "INFO",
  verbose: "DEBUG",
  debug: "DEBUG",
};

function runtimeRecord(text: string): AgentLogEntry | undefined {
  if (!text.startsWith('{"timestamp":')) return undefined;
  try {
    const { timestamp: _, level, event, ...facts } = JSON.parse(text) as Record<string, unknown>;
    const said = stripVTControlCharacters(String(event));
    const known = runtimeLevels[String(level)] ?? "INFO";
    return {
      // Each request is logged on its way in and out.
      level: /^(<--|-->) /.test(said) ? "DEBUG" : known,
      message: Object.keys(facts).length > 0 ? `${said} ${JSON.stringify(facts)}` : said,
    };
  } catch {
    return undefined;
  }
}

function guessLevel(text: string, from: "stdout" | "stderr"): LogLevel {
  if (/\b(fatal|critical)\b/i.test(text)) return "CRITICAL";
  if (/\b(error|exception)\b|Error:/i.test(text)) return "ERROR";
  if (/\bwarn(ing)?\b/i.test(text)) return "WARNING";
  return from === "stderr" ? "WARNING" : "INFO";
}
