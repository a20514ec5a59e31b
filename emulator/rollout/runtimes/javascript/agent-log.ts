import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "../../rollout";
import { type AgentLogEntry, guessedEntry, plainLine } from "../agent-log";

/** Parses a line that the agent server printed: its own JSON records, or any output of the project's code. */
export function agentLogEntry(line: string, from: "stdout" | "stderr"): AgentLogEntry | undefined {
  const text = plainLine(line);
  return text === undefined ? undefined : (runtimeRecord(text) ?? guessedEntry(text, from));
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
      // Each request is logged at its start and end.
      level: /^(<--|-->) /.test(said) ? "DEBUG" : known,
      message: Object.keys(facts).length > 0 ? `${said} ${JSON.stringify(facts)}` : said,
    };
  } catch {
    return undefined;
  }
}
