import { stripVTControlCharacters } from "node:util";
import type { LogLevel } from "../../rollout";
import { type AgentLogEntry, guessedEntry, plainLine } from "../agent-log";

/** Parses a line that the agent server printed: a JSON record of the runtime, or any output of the project's code. */
export function agentLogEntry(line: string, from: "stdout" | "stderr"): AgentLogEntry | undefined {
  const text = plainLine(line);
  return text === undefined ? undefined : (runtimeRecord(text) ?? guessedEntry(text, from));
}

const levels: Record<string, LogLevel> = {
  debug: "DEBUG",
  info: "INFO",
  warning: "WARNING",
  error: "ERROR",
  critical: "CRITICAL",
};

/** Fields of a record that do not describe the event. */
const aside =
  /^(logger|thread_name|api_variant|langgraph_api_version|has_deepagents|timestamp|metadata|path_params|proto|(req|res)_header|route)$/;

function runtimeRecord(text: string): AgentLogEntry | undefined {
  if (!/^\{.*"event":/.test(text) || !text.includes('"timestamp":')) return undefined;
  try {
    const { level, event, exception, ...facts } = JSON.parse(text) as Record<string, unknown>;
    if (typeof event !== "string") return undefined;
    const said = stripVTControlCharacters(event);
    const told = Object.entries(facts).filter(([name, value]) => value !== null && !aside.test(name));
    return {
      level: levelOf(String(level), String(facts["logger"]), said),
      message: [
        told.length > 0 ? `${said} ${JSON.stringify(Object.fromEntries(told))}` : said,
        ...(typeof exception === "string" ? [exception] : []),
      ].join("\n"),
    };
  } catch {
    return undefined;
  }
}

/**
 * Returns the level of a line. Messages of the runtime about itself, including one message per request, are debug
 * output. Graphs can make blocking calls both locally and when deployed, so these do not result in a warning.
 */
function levelOf(level: string, logger: string, said: string): LogLevel {
  const known = levels[level] ?? "INFO";
  const isOwn = /^langgraph_(api|runtime)/.test(logger);
  return isOwn && (known === "INFO" || said.includes("--allow-blocking")) ? "DEBUG" : known;
}
