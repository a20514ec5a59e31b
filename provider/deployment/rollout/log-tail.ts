import { plainText } from "../../plain-text";
import type { Operation } from "../lifecycle/operation";

/** Longest tail of a log in an error, in lines. */
const tailLines = 40;
/** How far back the first cause is looked for, in entries: what servers give at once. */
const searchedEntries = 1_000;
/** Longest line in an error, in characters. */
const lineLimit = 500;

/** What the logs of a revision tell about its failure. */
export interface FailureLog {
  /** The first line that tells of an error. */
  cause?: string;
  /** The ends of the logs, or that there are none. */
  tails: string[];
}

/** Reads the build's log and the runtime's, as far as there are any; never fails. */
export async function readLog(op: Operation, deploymentId: string, revisionId: string): Promise<FailureLog> {
  const read = (type: "build" | "deploy") => linesOf(op, deploymentId, revisionId, type);
  const [build, deploy] = await Promise.all([read("build"), read("deploy")]);
  if (!build && !deploy) return { tails: ["No log available from this server."] };
  const tails = [tailOf("build", build ?? []), tailOf("deploy", deploy ?? [])].filter((tail) => tail !== "");
  const cause = firstCause(build ?? []) ?? firstCause(deploy ?? []);
  return { cause, tails: tails.length > 0 ? tails : ["The logs are empty."] };
}

/** The first line that tells of an error; the last line of a Python traceback tells more than its first. */
export function firstCause(lines: readonly string[]): string | undefined {
  const start = lines.findIndex((line) => errorLine.test(line) && !harmless.test(line));
  if (start === -1) return undefined;
  if (!/^\s*Traceback \(most recent call last\)/.test(lines[start]!)) return lines[start]!.trim();
  const raised = lines
    .slice(start + 1)
    .find((line) => /^[A-Za-z_][\w.]*(Error|Exception|Exit|Interrupt)\b/.test(line));
  return (raised ?? lines[start]!).trim();
}

const errorLine =
  /\b(?:[A-Za-z_][\w.]*)?(?:Error|Exception)\b|\b(?:error|fatal|panic|ERROR|FATAL|CRITICAL)\b(?!s?\.log)|\bERR!|Traceback \(most recent/;
/** Summaries that count no error. */
const harmless = /\b(?:0|no) errors?\b/i;

/** Nothing where there is no log to be had. */
async function linesOf(
  op: Operation,
  deploymentId: string,
  revisionId: string,
  type: "build" | "deploy",
): Promise<string[] | undefined> {
  // By now the deployment must reach the state, whatever happens to its log.
  const entries = await op.client
    .tailLogs(deploymentId, revisionId, type, searchedEntries, op.signal)
    .catch(() => undefined);
  return entries?.flatMap(({ message }) => plainText(op.redact(message)).split("\n").map(shortened));
}

function shortened(line: string): string {
  return line.length > lineLimit ? `${line.slice(0, lineLimit)}…` : line;
}

function tailOf(type: string, lines: string[]): string {
  const last = lines.slice(-tailLines);
  return last.length > 0
    ? `Last lines of the ${type} log:\n${last.map((line) => `  ${line}`).join("\n")}`
    : "";
}
