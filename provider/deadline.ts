import { AgentServerError, type ErrorFacts } from "./errors";
import { formatDuration } from "./text/duration";

/** Time limit of an operation. */
export interface Deadline {
  /** End of the time limit, in milliseconds since 1970. */
  at: number;
  /** Length of the time limit, in milliseconds. */
  totalMs: number;
  /** The option that sets the time limit, for example `rollout.timeout`. */
  setBy: string;
}

/**
 * Returns the error for an action that was not performed because there was not enough time.
 * @param undone for example `deployment d-1 was not changed`
 * @param early the reason that the remaining time was too short, if the deadline has not passed yet
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

/** True if a request was not sent because too little time remained before the deadline. */
export function isTooLate(error: unknown): error is AgentServerError {
  return AgentServerError.is(error) && error.code === "timeout" && error.facts.notProcessed === true;
}

/**
 * Returns a signal that aborts at this time. Measures real time, because responses take real time even if a test
 * controls the clock.
 * @param at in milliseconds since 1970, like `now`
 */
export function signalAt(at: number, now: number): AbortSignal {
  // Timers do not accept a longer delay.
  return AbortSignal.timeout(Math.ceil(Math.min(Math.max(0, at - now), 2 ** 31 - 1)));
}
