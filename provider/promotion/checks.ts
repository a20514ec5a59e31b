import { spawn } from "node:child_process";
import { within } from "../clock";
import { asError } from "../errors";
import type { ProbeResponse } from "../http/probe";
import { formatDuration, parseDuration } from "../text/duration";
import { plainText } from "../text/plain-text";
import { shellWord } from "../text/shell-word";
import { toSourceRevisionConfig } from "./source-config";
import type { Source } from "./artifact";
import type { CheckInputs } from "./gate";

const defaultTimeout = "5m";
const functionTimeout = "24h";
/** Maximum length of the output of a check that is logged, in characters. Only the end of a longer output is logged. */
const outputLimit = 2_000;

/**
 * Maximum time to read the output of a command after the command has exited, in milliseconds. Other processes may keep
 * the output open.
 */
const drainMs = 1_000;

/** Check that is a function in the program. It fails if the function throws or returns `false`. */
export type CheckFunction = (source: Source) => unknown;

/** Values and functions that checks need. */
export interface CheckOptions {
  probe: (url: string, signal: AbortSignal) => Promise<ProbeResponse>;
  env: NodeJS.ProcessEnv;
  /** Logs the output of a check, with secrets redacted. */
  inform: (text: string) => void;
  redact: (text: string) => string;
  signal?: AbortSignal | undefined;
}

/** Result of a check. */
interface CheckResult {
  /** Reason for the failure; undefined if the check succeeded. */
  problem?: string | undefined;
  output: string;
}

/**
 * Runs the checks one after the other until one fails, and logs their output.
 * @returns the problem, or `undefined` if all checks succeeded
 */
export async function runChecks(
  checks: readonly (CheckInputs | CheckFunction)[],
  source: Source,
  options: CheckOptions,
): Promise<string | undefined> {
  for (const check of checks) {
    const name = plainText(describeCheck(check, options.redact));
    const { problem, output } = await run(check, source, options);
    options.signal?.throwIfAborted();
    const shown = excerpt(output, options);
    options.inform(
      `${name} ${problem === undefined ? "succeeded" : "failed"} for ${source.artifact}${shown && `:\n${shown}`}`,
    );
    if (problem !== undefined) return `${name} failed (${options.redact(plainText(problem)).slice(0, 200)})`;
  }
  return undefined;
}

/**
 * Returns the name of a check in messages.
 * @param redact removes secrets before the command is quoted for the shell, because quotes could make secrets
 * unrecognizable
 */
export function describeCheck(check: CheckInputs | CheckFunction, redact: CheckOptions["redact"]): string {
  if (typeof check === "function") return redact(`check function ${check.name || "without a name"}`);
  if (check.command)
    return `check \`${check.command.map((word) => (redact(word) === word ? shellWord(word) : redact(word))).join(" ")}\``;
  const { origin, pathname } = new URL(check.url!);
  return redact(`check GET ${origin}${pathname}`);
}

async function run(
  check: CheckInputs | CheckFunction,
  source: Source,
  options: CheckOptions,
): Promise<CheckResult> {
  if (typeof check === "function") return callFunction(check, source);
  const { command, url, timeout = defaultTimeout } = check;
  const expired = AbortSignal.timeout(parseDuration(timeout)!);
  const signal = options.signal ? AbortSignal.any([options.signal, expired]) : expired;
  const result = command
    ? await runCommand(command, source, options.env, signal)
    : await request(url!, options, signal);
  return result.problem !== undefined && expired.aborted ? { ...result, problem: noResult(timeout) } : result;
}

async function callFunction(check: CheckFunction, source: Source): Promise<CheckResult> {
  const expired = AbortSignal.timeout(parseDuration(functionTimeout)!);
  try {
    const returned = await within(
      expired,
      Promise.resolve().then(() => check(source)),
    );
    return {
      problem: returned === false ? "it returned false" : undefined,
      output: typeof returned === "string" ? returned : "",
    };
  } catch (error) {
    return { problem: expired.aborted ? noResult(functionTimeout) : asError(error).message, output: "" };
  }
}

function noResult(timeout: string): string {
  return `no result within ${formatDuration(parseDuration(timeout)!)}`;
}

async function request(url: string, { probe }: CheckOptions, signal: AbortSignal): Promise<CheckResult> {
  const { status, text } = await probe(url, signal);
  if (status === undefined) return { problem: text, output: "" };
  return { problem: status >= 200 && status < 300 ? undefined : `status ${status}`, output: text };
}

/** Runs a command without a shell. The command receives the source in environment variables. */
function runCommand(
  [program = "", ...args]: readonly string[],
  source: Source,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<CheckResult> {
  const { repoRef, imageUri } = toSourceRevisionConfig(source);
  return new Promise((resolve) => {
    const isGroup = process.platform !== "win32";
    const child = spawn(program, args, {
      env: {
        ...env,
        AGENTSERVER_PROMOTED_ARTIFACT: source.artifact,
        ...(repoRef !== undefined && { AGENTSERVER_PROMOTED_COMMIT: repoRef }),
        ...(imageUri !== undefined && { AGENTSERVER_PROMOTED_IMAGE: imageUri }),
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: isGroup,
    });
    const supervisor = isGroup && child.pid !== undefined ? superviseGroup(child.pid) : undefined;
    let output = "";
    const end = () => {
      // The command may have started other processes.
      try {
        if (child.pid !== undefined) process.kill(isGroup ? -child.pid : child.pid, "SIGKILL");
      } catch {
        // The processes have already exited.
      }
    };
    let drain: NodeJS.Timeout | undefined;
    const finish = (problem: string | undefined) => {
      clearTimeout(drain);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      signal.removeEventListener("abort", end);
      supervisor?.end();
      resolve({ problem, output });
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        // Keeps more than the limit, so that a secret is not cut before it is redacted.
        output = (output + text).slice(-100 * outputLimit);
      });
    child.once("error", (error) => finish(error.message));
    child.once("exit", (code, killed) => {
      const problem = code === 0 ? undefined : killed ? `terminated by ${killed}` : `exit code ${code}`;
      child.once("close", () => finish(problem));
      drain = setTimeout(() => finish(problem), drainMs);
    });
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}

/**
 * Starts a process that kills a process group when the current process exits, even if the current process is killed.
 * @returns function that stops the supervision
 */
function superviseGroup(id: number): { end: () => void } {
  const script = 'read -r _ || kill -9 "-$1"';
  const supervisor = spawn("sh", ["-c", script, "sh", String(id)], {
    stdio: ["pipe", "ignore", "ignore"],
    // Ctrl-C must not stop the supervisor before it has killed the group.
    detached: true,
  });
  // Without a shell, or after the group has exited, there is nothing to supervise.
  for (const one of [supervisor, supervisor.stdin]) one.on("error", () => {});
  return { end: () => supervisor.stdin.end("\n") };
}

function excerpt(output: string, { redact }: CheckOptions): string {
  const text = redact(plainText(redact(output))).trim();
  return text.length > outputLimit ? `…${text.slice(-outputLimit)}` : text;
}
