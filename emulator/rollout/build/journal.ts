import { type LogLevel, type LogType, RolloutFailure, type RolloutJob, type RolloutReport } from "../rollout";
import { type Redact, redactor } from "./redaction";

/** Maximum length of a log line, in characters. */
const longestMessage = 8192;
/** Maximum length of a `status_message`, in characters. */
const longestReason = 2000;

/** Reports of a rollout, with the secrets removed. */
export interface RolloutJournal {
  redact: Redact;
  /** Also redacts these values from now on. */
  hide(values: readonly string[]): void;
  log(type: LogType, level: LogLevel, message: string): void;
  /** Logs a failure and returns it for the caller to throw. */
  failure(status: RolloutFailure["status"], reason: string): RolloutFailure;
}

export function rolloutJournal(
  job: RolloutJob,
  report: RolloutReport,
  credentials: string[] = [],
): RolloutJournal {
  const hidden = [...job.secrets.map((secret) => secret.value), ...credentials];
  let current = redactor(hidden);
  const redact: Redact = (text) => current(text);
  const log = (type: LogType, level: LogLevel, message: string) =>
    report.log(type, level, shortened(redact(message), longestMessage));
  return {
    redact,
    hide(values) {
      if (values.length === 0) return;
      hidden.push(...values);
      current = redactor(hidden);
    },
    log,
    failure(status, reason) {
      log(status === "DEPLOY_FAILED" ? "deploy" : "build", "ERROR", reason);
      const paragraph = redact(reason).replace(/\s*\n\s*/g, " ");
      return new RolloutFailure(status, shortened(paragraph, longestReason));
    },
  };
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} … (${text.length - most} more characters)`;
}
