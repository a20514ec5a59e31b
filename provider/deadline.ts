import { AgentServerError, type ErrorFacts } from "./errors";
import { formatDuration } from "./text/duration";

/** The time that an operation has. */
export interface Deadline {
  /** When it ends, in milliseconds since 1970. */
  at: number;
  /** The whole of it, in milliseconds. */
  totalMs: number;
  /** The option that sets it, for example `rollout.timeout`. */
  setBy: string;
}

/**
 * The error of something that was not done because it could not be done in time.
 * @param undone for example `deployment d-1 was not changed`
 * @param early why it would have been too late, if the deadline has not passed yet
 */
export function timeoutError(
  { totalMs, setBy }: Deadline,
  undone: string,
  facts: ErrorFacts = {},
  early?: string,
): AgentServerError {
  const total = formatDuration(totalMs);
  const why = early ? `${early} beyond the timeout of ${total}` : `The timeout of ${total} expired`;
  return new AgentServerError(
    "timeout",
    `${why}, so ${undone}. Run the command again, or increase \`${setBy}\`.`,
    { ...facts, notProcessed: true, final: true },
  );
}

/** True if a request was not sent because its deadline did not allow it. */
export function isTooLate(error: unknown): error is AgentServerError {
  return AgentServerError.is(error) && error.code === "timeout" && error.facts.notProcessed === true;
}

/**
 * A signal that is aborted at that time, in real time: a response arrives in real time even if the clock is a test's.
 * @param at in milliseconds since 1970, as `now`
 */
export function signalAt(at: number, now: number): AbortSignal {
  // Timers do not take more.
  return AbortSignal.timeout(Math.ceil(Math.min(Math.max(0, at - now), 2 ** 31 - 1)));
}
