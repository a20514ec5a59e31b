import type { LogType } from "../../control-plane/client/revisions";
import { plainText } from "../../text/plain-text";
import { truncate } from "../../text/truncate";
import type { ControlPlaneOperation } from "../../resource/operation";

/** Maximum total length of all log tails in an error, in lines. */
const tailLines = 40;
/** Number of log entries that are searched for the first error: the maximum that servers return at once. */
const searchedEntries = 1_000;
/** Maximum length of a log line that an error contains, in characters. */
const lineLimit = 500;

/** Information about a failure from the logs of the revision. */
export interface FailureLog {
  /** First line of the logs that reports an error. */
  cause?: string;
  /** Last lines of the logs, or a note that there are no logs. */
  tails: string[];
}

/**
 * Reads the existing build and runtime logs. Returns only the log of the phase in which the rollout failed, because a
 * successful build may also log errors. Never fails.
 * @param status the revision's last status; if it does not identify a phase, both logs are returned
 * @param isVerified true if the revision was verified, so that the log also contains the requests of the smoke run
 */
export async function readLog(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  status: string,
  isVerified = false,
): Promise<FailureLog> {
  const isShown = (line: string) => !healthCheck.test(line) && !(isVerified && smokeRunRequest.test(line));
  const read = async (type: LogType) => (await linesOf(op, deploymentId, revisionId, type))?.filter(isShown);
  const [build, deploy] = await Promise.all([read("build"), read("deploy")]);
  if (!build && !deploy) return { tails: ["No log available from this server."] };
  const failed = phaseOf(status);
  const filled = [
    { type: "build" as const, lines: build ?? [] },
    { type: "deploy" as const, lines: deploy ?? [] },
  ].filter(({ lines }) => lines.length > 0);
  const own = filled.filter(({ type }) => type === failed);
  const shown = own.length > 0 ? own : filled;
  if (shown.length === 0) return { tails: ["The logs are empty."] };
  const causes = shown
    .filter(({ type }) => type === "deploy" || failed !== "deploy")
    .flatMap(({ lines }) => firstCause(lines) ?? []);
  return {
    cause: causes[0],
    tails: shown.map(({ type, lines }) => tailOf(type, lines, tailLines / shown.length)),
  };
}

function phaseOf(status: string): LogType | undefined {
  if (/^(CREATE|BUILD)/.test(status)) return "build";
  return status.startsWith("DEPLOY") ? "deploy" : undefined;
}

/**
 * Returns the first line that reports an error. For a Python traceback, returns its last line, which is more specific.
 */
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
/** Pattern for summaries that report zero errors. */
const harmless = /\b(?:0|no) errors?\b/i;

/** Pattern for a health check of the server by a platform or by a verification. */
const healthCheck = /\b(?:GET|HEAD)\W+\/(?:ok|health|healthz|livez|readyz|info|metrics)\b/;

/** Pattern for the log line of a request that a verification sends: for an assistant, a thread, or a run. */
const smokeRunRequest =
  /\b(?:GET|POST|DELETE)\W+\/(?:assistants\/search|threads(?:\/[0-9a-f-]{36}(?:\/(?:runs(?:\/[0-9a-f-]{36}(?:\/join)?)?|state))?)?)(?![\w/-])/;

/** Returns the lines of the build or runtime log of a revision; `undefined` if the log cannot be read. */
async function linesOf(
  op: ControlPlaneOperation,
  deploymentId: string,
  revisionId: string,
  type: LogType,
): Promise<string[] | undefined> {
  // The deployment must be stored in state even if its log cannot be read.
  const entries = await op.plane.client.revisions
    .tailLogs(deploymentId, revisionId, type, searchedEntries, op.time.signal)
    .catch(() => undefined);
  return entries?.flatMap(({ message }) =>
    plainText(op.report.redact(message))
      .split("\n")
      .map((line) => truncate(line, lineLimit)),
  );
}

function tailOf(type: LogType, lines: string[], most: number): string {
  const last = lines.slice(-most).map((line) => `  ${line}`);
  return `Last lines of the ${type} log:\n${last.join("\n")}`;
}
