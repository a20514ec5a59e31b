import { isTooLate } from "../deadline";
import { defaultRetryPolicy } from "../http/retry";
import { AgentServerError } from "../errors";
import { fixedDelays, poll, type PollTime } from "./poll";

/** Maximum number of attempts to send a write if its response is lost. */
const writeTries = 3;

/**
 * Minimum pause before the first check after a lost response, in milliseconds, because the server may still be
 * processing the write.
 */
const checkPauseMs = 2_000;

/** Pauses between checks for a change that may become visible only after a delay. */
export const visibilityRetry = fixedDelays(Array<number>(writeTries - 1).fill(checkPauseMs));

const singleCheck = fixedDelays([]);

/** Pauses between further checks after a request timed out, in milliseconds; 90 s in total. */
const repeatedChecks = fixedDelays([3_000, 5_000, 10_000, 15_000, 20_000, 35_000]);

/** Counter of the responses that were lost. */
interface LostReplies {
  count: number;
}

/** A write whose response may be lost. */
export interface Write<Response> {
  send: () => Promise<Response>;
  /**
   * Reads the result of a write whose response was lost; `undefined` if the write has not taken effect. Optional for
   * writes that can be repeated.
   */
  check?: () => Promise<Response | undefined>;
  /**
   * True if repeating the write is harmless. If false, the checks continue for longer after a request timed out,
   * because the server may still process the write.
   */
  isRepeatable?: boolean;
  /** Counter of lost responses that all writes of one change share, if the change consists of several writes. */
  lostReplies?: LostReplies;
  onLost?: (error: AgentServerError) => void;
  /** Called after each check that finds no result. */
  onNothing?: () => void;
}

/**
 * Sends a write. If its response is lost, checks whether the write took effect, and repeats the write only if it did
 * not and if there is enough time.
 */
export async function sendOrDetect<Response>(
  time: PollTime,
  { send, check, isRepeatable = false, lostReplies = { count: 0 }, onLost, onNothing }: Write<Response>,
): Promise<Response> {
  const { clock, deadline } = time;
  for (;;)
    try {
      return await send();
    } catch (error) {
      if (!mayHaveBeenProcessed(error)) throw error;
      lostReplies.count += 1;
      onLost?.(error);
      const isSlow = error.facts.timedOut === true && !isRepeatable;
      const checks = { ...(isSlow ? repeatedChecks : singleCheck), beforeFirst: checkPause(error) };
      const result = await poll(time, checks, async () => {
        const found = await check?.().catch((late: unknown) => {
          throw isTooLate(late) ? error : late;
        });
        if (found === undefined) onNothing?.();
        return found;
      });
      if (result !== undefined) return result;
      if (lostReplies.count >= writeTries || clock.now() >= (deadline?.at ?? Number.POSITIVE_INFINITY))
        throw error;
    }
}

/** True if the server may have processed a request even though it returned no usable response. */
function mayHaveBeenProcessed(error: unknown): error is AgentServerError {
  if (!AgentServerError.is(error) || error.facts.notProcessed) return false;
  return ["connection_failed", "server_failed", "unexpected_response"].includes(error.code);
}

/** Returns the pause before the first check, which is longer if the server requests it. */
function checkPause(error: AgentServerError): number {
  const asked = Math.min(error.facts.retryAfterMs ?? 0, defaultRetryPolicy.retryAfterCapMs);
  return Math.max(checkPauseMs, asked);
}
